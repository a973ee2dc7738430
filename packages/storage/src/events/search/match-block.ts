import { eventSeverities } from '@tripline/formats/event/event-severity'
import type { EventPosition, StoredEvent } from '../event-store.ts'
import type { Block, BlockReader } from '../block/block.ts'
import type { CompiledSearch } from './compile-search.ts'
import { readTexts } from '../block/row-texts.ts'
import type { Rows } from '../block/row-texts.ts'
import type { TimeSlicer } from './time-slicer.ts'

/** The time range of a query: from inclusive, to exclusive. */
export type TimeRange = { readonly from: number; readonly to: number }

/** A matched event that is still in its block. */
export type MatchedRow = EventPosition & { readonly block: Block; readonly row: number }

/** The matches of a block, possibly none. */
export type BlockMatches = { readonly opened: BlockReader; readonly rows: Rows }

/** Whether a block may hold events of a range. */
export function overlaps({ bounds }: Block, { from, to }: TimeRange): boolean {
  return bounds.newestAt >= from && bounds.oldestAt < to
}

/** Finds the rows of a block that are in a range and match; undefined where its filter rules them out. */
export async function matchBlock(
  block: Block, range: TimeRange, { search, turns }: { search: CompiledSearch; turns: TimeSlicer },
): Promise<BlockMatches | undefined> {
  const filter = search.mayMatch && await block.filter()
  if (filter !== undefined && !search.mayMatch?.(filter)) return undefined
  const opened = await block.open()
  const rows = await findRowsInRange(block, opened, range)
  return rows.length === 0 ? undefined : { opened, rows: await search.match(opened, rows, turns) }
}

/** Reads events, in the given order. */
export async function readEvents(found: readonly MatchedRow[]): Promise<StoredEvent[]> {
  const byBlock = new Map<Block, MatchedRow[]>()
  for (const row of found) {
    const ofBlock = byBlock.get(row.block)
    if (ofBlock === undefined) byBlock.set(row.block, [row])
    else ofBlock.push(row)
  }
  const events = new Map<MatchedRow, StoredEvent>()
  for (const [block, rows] of byBlock) {
    rows.sort((a, b) => a.row - b.row)
    const opened = await block.open()
    const texts = await readTexts(opened, Uint32Array.from(rows, ({ row }) => row))
    const [severities, arrivalAt] = await Promise.all([opened.severities(), opened.arrivals()])
    for (const [i, row] of rows.entries()) {
      const { occurredAt, sequence } = row
      const severity = eventSeverities[severities[row.row]!] ?? 'info'
      events.set(row, { occurredAt, sequence, severity, bytes: Buffer.from(texts[i]!, 'latin1'), arrival: arrivalAt(row.row) })
    }
  }
  return found.map((row) => events.get(row)!)
}

/** Whether a position is before another in time. */
export function isBefore(a: EventPosition, b: EventPosition): boolean {
  return a.occurredAt === b.occurredAt ? a.sequence < b.sequence : a.occurredAt < b.occurredAt
}

export function compareNewestFirst(a: EventPosition, b: EventPosition): number {
  return b.occurredAt - a.occurredAt || b.sequence - a.sequence
}

export function compareOldestFirst(a: EventPosition, b: EventPosition): number {
  return compareNewestFirst(b, a)
}

async function findRowsInRange({ bounds }: Block, opened: BlockReader, { from, to }: TimeRange): Promise<Rows> {
  const rows = new Uint32Array(opened.rowCount)
  if (from <= bounds.oldestAt && bounds.newestAt < to) {
    for (let row = 0; row < rows.length; row++) rows[row] = row
    return rows
  }
  const times = await opened.times()
  let count = 0
  for (let row = 0; row < opened.rowCount; row++) {
    const time = times[row]!
    if (from <= time && time < to) rows[count++] = row
  }
  return rows.subarray(0, count)
}
