import { setImmediate as othersFirst } from 'node:timers/promises'
import type { CatalogField } from '../event-store.ts'
import { catalogColumn } from './catalog.ts'
import type { Memtable } from './memtable.ts'

/** Values that are counted before others have their turn: about a millisecond. */
const valuesAtOnce = 16_384

/** Rows of a memtable whose catalog is kept, and the part by which it may have grown since. */
const keptRowsMin = 1_024
const grownPart = 1 / 16

type KeptCatalog = { readonly rowCount: number; readonly columnCount: number; readonly fields: readonly CatalogField[] }

const kept = new WeakMap<Memtable, KeptCatalog>()

/**
 * The fields of a memtable. Every first page of a search reads them, and counting all values of a large memtable takes up to
 * 100 ms: it is done in steps between which others have their turn, and again only when the memtable has grown noticeably.
 */
export async function catalogMemtable(block: Memtable): Promise<readonly CatalogField[]> {
  const { rowCount } = block.bounds
  const columnCount = block.columns.size
  const known = kept.get(block)
  if (known?.columnCount === columnCount && rowCount - known.rowCount <= known.rowCount * grownPart) return known.fields
  const fields: CatalogField[] = []
  let valueCount = 0
  for (const { path, pathKey, tokens } of block.columns.values()) {
    if (path === undefined) continue
    const codes = block.rows.flatMap((rows) => rows.codes[rows.template.getSlot(pathKey)] ?? [])
    fields.push(catalogColumn(path, tokens, codes))
    valueCount += codes.length
    if (valueCount < valuesAtOnce) continue
    valueCount = 0
    await othersFirst()
  }
  if (rowCount >= keptRowsMin) kept.set(block, { rowCount, columnCount, fields })
  return fields
}
