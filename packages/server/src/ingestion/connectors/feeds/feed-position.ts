import { tryParseJson } from '@tripline/common/json'
import { z } from 'zod'

const counts = z.strictObject({
  /** Entries of the feed, those that became new indicators, and by reason those that cannot be used. */
  read: z.int(), created: z.int(), unusable: z.record(z.string(), z.int()),
})

/** What was read: of a TAXII collection since its beginning, of a CSV feed the last time. */
export type FeedCounts = z.infer<typeof counts>

export const noCounts: FeedCounts = { read: 0, created: 0, unusable: {} }

const positionSchema = z.strictObject({
  /** The source of the feed's indicators; it stays when the connector is renamed. */
  source: z.string(),
  counts,
  /** Of TAXII: the moment behind which objects are new, what names the next page, and the newest moment of this round. */
  addedAfter: z.string().optional(),
  next: z.string().optional(),
  addedLast: z.string().optional(),
  /** Of CSV: what the server calls the version that was read, and the day of the reading. */
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  day: z.int().optional(),
})

/** Where the reading of a feed continues. */
export type FeedPosition = z.infer<typeof positionSchema>

/** Reads a stored position; what is none is a beginning, whose source is the connector's name. */
export function parseFeedPosition(text: string | undefined, connectorName: string): FeedPosition {
  const parsed = tryParseJson(text ?? '')
  const { data } = positionSchema.safeParse('value' in parsed ? parsed.value : undefined)
  return data ?? { source: connectorName, counts: noCounts }
}

/** Says what was read and what cannot be used. */
export function describeCounts({ read, unusable }: FeedCounts): string {
  const reasons = Object.entries(unusable).toSorted(([, one], [, other]) => other - one)
  const total = reasons.reduce((sum, [, count]) => sum + count, 0)
  const list = reasons.map(([reason, count]) => `${count}: ${reason}`).join('; ')
  return `${read} entries read, ${total} not usable${list === '' ? '' : ` (${list})`}`
}
