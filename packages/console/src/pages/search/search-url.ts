import { resolveRange, toIso } from '../../lib/time-range.ts'
import { sortParameter, textListParameter, textParameter, timeParameter, wordParameter } from '../../lib/url-state.ts'
import { layouts } from '../../lib/lists/column-choices.ts'
import type { UrlState } from '../../lib/url-state.ts'

/** The parameters of the page's address. */
export const searchParameters = {
  /** A query in the search language. */
  q: textParameter,
  from: timeParameter,
  to: timeParameter,
  sort: sortParameter(['timestamp']),
  /** Fields that are columns of the list beside those that it always has. */
  columns: textListParameter,
  /** How the events are shown; as the person chose last where it is not stated. */
  layout: wordParameter(layouts),
  /** The event whose panel is open. */
  event: textParameter,
  /** The field whose values the histogram is split by; severities by default. */
  split: textParameter,
  /** The event whose surroundings are searched for. */
  around: textParameter,
  /** Whether new events are followed. */
  live: wordParameter(['1'] as const),
}
type SearchUrl = UrlState<typeof searchParameters>

/** The query of the API for what the address states; `loadedAt` is the moment that relative times refer to. */
export function toSearchQuery({ q, from, to, sort }: SearchUrl, loadedAt: number): Record<string, string> {
  const range = resolveRange({ from, to }, loadedAt)
  return {
    ...(q !== undefined && { q }),
    from: toIso(range.from),
    // Without an end the range ends now: an event of this second belongs to it.
    ...(to !== undefined && { to: toIso(range.to) }),
    ...(sort !== undefined && { sort: `${sort.field}:${sort.direction}` }),
  }
}
