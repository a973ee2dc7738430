import { readEvent } from '@tripline/engine/evaluate'
import type { FeedEvent } from './event-feed.ts'

/** A database that keeps the same events in a table, to be compared with. */
export type EventDatabase = {
  readonly name: string
  /** Adds batches, each safe on disk before the next. */
  readonly add: (batches: Iterable<readonly FeedEvent[]>) => Promise<void>
  /** Reads the newest events of which a condition holds; gives how many there are on the page. */
  readonly page: (where: string, limit: number) => Promise<number>
  /** Counts events by half days; gives how many there are. */
  readonly histogram: (where: string) => Promise<number>
  readonly byteCount: () => Promise<number>
  readonly close: () => void
}

/** Fields that are searched have a column of the table; the others are in the text. */
export const columns = ['Computer', 'Channel', 'Image', 'CommandLine', 'EventID', 'ScriptBlockText'] as const

/** A row of the table: the text of an event, and the values of the columns. */
export type EventRow = { readonly text: string; readonly values: readonly (string | number | null)[] }

/** Lays an event out as a row; fields are found under their own name or another, as the store finds them. */
export function toEventRow({ bytes }: FeedEvent): EventRow {
  const text = bytes.toString('utf8')
  const { fields, aliases } = readEvent(text).event
  const values = columns.map((name) => {
    const value = [name, ...(aliases.get(name) ?? [])].map((one) => fields[one]).find((one) => one !== undefined)
    return typeof value === 'string' || typeof value === 'number' ? value : null
  })
  return { text, values }
}
