import { z } from 'zod'
import { limits } from '../limits.ts'

/**
 * Where polling goes on: at the page that was read last, or the one after it; and which events of it were handed on
 * already, because the last page of a source is read again until there is a next one.
 */
export type PollPosition = { readonly cursor: string | undefined; readonly seen: readonly string[] }

const pollStart: PollPosition = { cursor: undefined, seen: [] }

const positionSchema = z.strictObject({ cursor: z.string().optional(), seen: z.array(z.string()) })

/** As it is stored. */
export function printPosition({ cursor, seen }: PollPosition): string {
  return JSON.stringify({ cursor, seen: seen.slice(-limits.connector.seenMax) })
}

/** @throws Error for a text that we did not print. */
export function parsePosition(text: string | undefined): PollPosition {
  if (text === undefined) return pollStart
  const { cursor, seen } = positionSchema.parse(JSON.parse(text))
  return { cursor, seen }
}
