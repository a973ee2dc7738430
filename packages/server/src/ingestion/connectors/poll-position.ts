import { z } from 'zod'
import { limits } from '../limits.ts'

/**
 * Where polling continues: the page that was read last or the one behind it, and the ids of its events that were
 * ingested already. The last page of a source is read again until it names a next one.
 */
export type PollPosition = { readonly cursor: string | undefined; readonly seen: readonly string[] }

const pollStart: PollPosition = { cursor: undefined, seen: [] }

const positionSchema = z.strictObject({ cursor: z.string().optional(), seen: z.array(z.string()) })

/** The position as it is stored. */
export function printPosition({ cursor, seen }: PollPosition): string {
  return JSON.stringify({ cursor, seen: seen.slice(-limits.connector.seenMax) })
}

/** @throws Error for a text that `printPosition` did not print. */
export function parsePosition(text: string | undefined): PollPosition {
  if (text === undefined) return pollStart
  const { cursor, seen } = positionSchema.parse(JSON.parse(text))
  return { cursor, seen }
}
