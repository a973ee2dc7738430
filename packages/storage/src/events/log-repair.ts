import type { DamageKeeper } from './damage-keeper.ts'
import { encodeBlock } from './block/encode-block.ts'
import { decodeHeader, encodeHeader } from './block/block-header.ts'
import { Memtable } from './block/memtable.ts'
import type { EventRow } from './block/memtable.ts'
import type { Segment } from './segment/segment.ts'
import type { StoredBlock } from './segment/stored-block.ts'

/**
 * Repairs blocks of segments from the log, which is a second copy of their events until its files are removed: events that
 * are logged and stored are compared with what their block holds.
 */
export class LogRepair {
  /** The blocks that the log has rows of; the rows of those that are lost. */
  readonly #blocks = new Map<StoredBlock, { readonly segment: Segment; readonly rows: EventRow[] | undefined }>()
  #last: StoredBlock | undefined

  /** Takes a row that the log holds and the segment of its day should hold, too. */
  async add(segment: Segment, row: EventRow): Promise<void> {
    const block = this.#findBlock(segment, row.sequence)
    if (block === undefined) return
    let known = this.#blocks.get(block)
    if (known === undefined) {
      known = { segment, rows: (await block.isIntact()) ? undefined : [] }
      this.#blocks.set(block, known)
    }
    known.rows?.push(row)
  }

  /** Encodes lost blocks again of which the log has all rows; those that come out as they were written replace them. */
  async run(keeper: DamageKeeper): Promise<void> {
    for (const [block, { segment, rows }] of this.#blocks) {
      if (rows === undefined || rows.length !== block.bounds.rowCount) continue
      const memtable = new Memtable(rows.length)
      for (const row of rows) memtable.add(row)
      const { version } = block.bounds
      // Version 2 had no parity, and no repair.
      if (version === 2) continue
      const repaired = await encodeBlock(memtable, { version })
      const header = decodeHeader(repaired)
      if (header === undefined || !encodeHeader(header).equals(encodeHeader(block.bounds))) continue
      await keeper.repair(segment, block, { problem: 'the block is corrupted; the log holds its events', repaired })
    }
    this.#blocks.clear()
  }

  /** Consecutive rows are mostly of the same block. */
  #findBlock(segment: Segment, sequence: number): StoredBlock | undefined {
    const holds = ({ bounds }: StoredBlock): boolean => bounds.firstSequence <= sequence && sequence <= bounds.lastSequence
    if (this.#last === undefined || !segment.blocks.includes(this.#last) || !holds(this.#last)) this.#last = segment.blocks.find(holds)
    return this.#last
  }
}
