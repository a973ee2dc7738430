import { CorruptionError } from '../log/byte-reader.ts'
import { limits } from '../limits.ts'
import type { Block } from './block/block.ts'
import { compareByName } from './block/catalog.ts'
import { Memtable } from './block/memtable.ts'
import type { CatalogField } from './event-store.ts'
import { StoredBlock } from './segment/stored-block.ts'

/** A block, and how many columns of it are in a list of names: those of a memtable grow, those of a stored block do not. */
type NamedBlock = { readonly block: Block; readonly columnCount: number }

/**
 * The names of the fields of blocks. Every first page of a search asks for them, so they are found without reading a value, and
 * listed again only when a block or a field is new.
 */
export class FieldNames {
  #listed: { readonly from: readonly NamedBlock[]; readonly names: readonly string[] | undefined } | undefined
  /** Those of stored blocks, as read once. */
  #stored = new Map<StoredBlock, readonly string[]>()

  /** The names in blocks; undefined if there are too many. The same list until one is new. */
  async list(blocks: readonly Block[]): Promise<readonly string[] | undefined> {
    const from = blocks.map((block) => ({ block, columnCount: block instanceof Memtable ? block.columns.size : 0 }))
    const known = this.#listed
    if (known?.from.length === from.length && known.from.every((each, i) => isSame(each, from[i]!))) return known.names
    const [names, stored] = [new Set<string>(), new Map<StoredBlock, readonly string[]>()]
    let isWhole = true
    for (const block of blocks) {
      const found = block instanceof StoredBlock ? this.#stored.get(block) ?? await readNames(block) : listColumns(block)
      for (const name of found ?? []) names.add(name)
      // A block that cannot be read now may be repaired later.
      if (found === undefined) isWhole = false
      else if (block instanceof StoredBlock) stored.set(block, found)
    }
    this.#stored = stored
    const listed = names.size > limits.events.catalogFieldsMax ? undefined : [...names].sort((a, b) => compareByName([a], [b]))
    this.#listed = isWhole ? { from, names: listed } : undefined
    return listed
  }
}

/** The fields of a block; undefined where it cannot be read. */
export async function readCatalog(block: StoredBlock): Promise<readonly CatalogField[] | undefined> {
  try {
    return await (await block.open()).catalog()
  } catch (error) {
    if (error instanceof CorruptionError) return undefined
    throw error
  }
}

async function readNames(block: StoredBlock): Promise<readonly string[] | undefined> {
  return (await readCatalog(block))?.map(({ name }) => name)
}

function listColumns(block: Block): readonly string[] {
  if (!(block instanceof Memtable)) return []
  return [...block.columns.values()].flatMap(({ path }) => path?.join('.') ?? [])
}

function isSame(a: NamedBlock, b: NamedBlock): boolean {
  return a.block === b.block && a.columnCount === b.columnCount
}
