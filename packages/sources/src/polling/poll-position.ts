import { isJsonObject } from '@tripline/common/json'
import { limits } from '../limits.ts'

/**
 * Where polling continues: the page that was read last or the one behind it, and the ids of its events that were
 * ingested already. The last page of a source is read again until it names a next one.
 */
export type PollPosition = { readonly cursor: string | undefined; readonly seen: readonly string[] }

const pollStart: PollPosition = { cursor: undefined, seen: [] }

/** The position as it is stored, as JSON. */
export function toStoredPosition({ cursor, seen }: PollPosition): { readonly cursor?: string; readonly seen: readonly string[] } {
  return { ...(cursor !== undefined && { cursor }), seen: seen.slice(-limits.polling.seenMax) }
}

/** Reads a stored position; undefined is the beginning. @throws Error for what `toStoredPosition` did not make. */
export function readStoredPosition(stored: unknown): PollPosition {
  if (stored === undefined) return pollStart
  const { cursor, seen } = isJsonObject(stored) ? stored : {}
  const isValid = (cursor === undefined || typeof cursor === 'string') && Array.isArray(seen) && seen.every((id) => typeof id === 'string')
  if (!isValid) throw new Error('the stored position of a poll is none')
  return { cursor, seen: seen as readonly string[] }
}
