import type { Block } from '../block/block.ts'
import type { StoredEvent } from '../event-store.ts'

/** Matched rows of a block, ascending, with what a page and a histogram need of each. */
export type LocatedRows = {
  readonly rows: Uint32Array
  readonly times: Float64Array
  readonly sequences: Float64Array
  /** Indexes of `eventSeverities`. */
  readonly severities: Uint8Array
}

type SearchCacheSizes = { readonly matchCacheBytesMax: number; readonly pageCacheBytesMax: number }

/** A row's number, time, sequence and severity. */
const bytesPerRow = 21

/**
 * What searches of stored blocks found: blocks never change, so a repeated search, a further page or a longer count reads
 * only what it does not know yet.
 */
export class SearchCache {
  readonly #matches: GroupCache<string, Block, LocatedRows>
  readonly #events: GroupCache<Block, number, StoredEvent>

  constructor({ matchCacheBytesMax, pageCacheBytesMax }: SearchCacheSizes) {
    this.#matches = new GroupCache(matchCacheBytesMax)
    this.#events = new GroupCache(pageCacheBytesMax)
  }

  getMatches(searchKey: string, block: Block): LocatedRows | undefined {
    return this.#matches.get(searchKey, block)
  }

  addMatches(searchKey: string, block: Block, rows: LocatedRows): void {
    this.#matches.set(searchKey, block, rows, rows.rows.length * bytesPerRow)
  }

  getEvent(block: Block, row: number): StoredEvent | undefined {
    return this.#events.get(block, row)
  }

  addEvent(block: Block, row: number, event: StoredEvent): void {
    this.#events.set(block, row, event, event.bytes.length)
  }
}

/** The objects around an entry. */
const entryOverheadBytes = 300

/**
 * A byte-bounded cache of values in groups: the group that was not used for longest goes as a whole, and one that fills half
 * of the cache takes no more.
 */
export class GroupCache<Group, Key, Value> {
  readonly #bytesMax: number
  /** Least recently used first. */
  readonly #groups = new Map<Group, { readonly values: Map<Key, Value>; bytes: number }>()
  #byteCount = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get(group: Group, key: Key): Value | undefined {
    const found = this.#groups.get(group)
    if (found === undefined) return undefined
    this.#groups.delete(group)
    this.#groups.set(group, found)
    return found.values.get(key)
  }

  /** Adds a value; a key that is there keeps its value. */
  set(group: Group, key: Key, value: Value, bytes: number): void {
    const cost = bytes + entryOverheadBytes
    const target = this.#groups.get(group) ?? { values: new Map<Key, Value>(), bytes: 0 }
    if (target.values.has(key) || target.bytes + cost > this.#bytesMax / 2) return
    target.values.set(key, value)
    target.bytes += cost
    this.#byteCount += cost
    this.#groups.delete(group)
    this.#groups.set(group, target)
    for (const [oldest, { bytes: freed }] of this.#groups) {
      if (this.#byteCount <= this.#bytesMax) return
      this.#groups.delete(oldest)
      this.#byteCount -= freed
    }
  }
}
