import { z } from 'zod'
import { limits } from '../limits.ts'
import { listMetadataSchema } from '../page.ts'
import { wholeNumberParameter } from '../public/parameters.ts'
import { searchEventSchema } from './search.ts'

const instant = z.iso.datetime()

/** A stored event; its `fields` are those that rules see, under the names that they see. */
export const eventDetailSchema = z.strictObject({
  ...searchEventSchema.shape,
  /** When it was accepted; null for an event that was stored by the command line or an earlier release. */
  received_at: instant.nullable(),
  /** The connector that it came through; null for other senders. */
  connector_id: z.string().nullable(),
  /** Null also for a deleted connector. */
  connector_name: z.string().nullable(),
  /** The log sources that select its rules; a part that is open is empty. */
  logsources: z.array(z.strictObject({ category: z.string(), product: z.string(), service: z.string() })),
  /** The text as it arrived. */
  raw: z.string(),
})
export type EventDetailBody = z.infer<typeof eventDetailSchema>

/** The newest events of a connector within a day, newest first. */
export const connectorSamplesSchema = z.strictObject({
  connector_id: z.string(),
  samples: z.array(eventDetailSchema),
  /** The newest events of all senders that were read for it. */
  events_searched: z.int(),
  /** Whether these were all events of the day; otherwise a connector that sends seldom may have more. */
  complete: z.boolean(),
})
export type ConnectorSamplesBody = z.infer<typeof connectorSamplesSchema>

const { aroundEventsMax, aroundEventsDefault, aroundMinutesMax, aroundMinutesDefault } = limits.lists

/** Query parameters of the events around an event. */
export const surroundingsQuerySchema = z.object({
  /** What the events share; default: the host, or else the cloud account, tenant or cluster. */
  same: z.enum(['host', 'account', 'user', 'process', 'any']).optional(),
  minutes: wholeNumberParameter(1, aroundMinutesMax).default(aroundMinutesDefault),
  before: wholeNumberParameter(0, aroundEventsMax).default(aroundEventsDefault),
  after: wholeNumberParameter(0, aroundEventsMax).default(aroundEventsDefault),
})

export const surroundingsSchema = z.strictObject({
  event_id: z.string(),
  same: z.enum(['host', 'account', 'user', 'process', 'any']),
  /** The shared value; empty for `any`. */
  value: z.string(),
  /** Oldest first, the event itself included. */
  data: z.array(searchEventSchema),
  more_before: z.boolean(),
  more_after: z.boolean(),
  /** A search for the same events. */
  query: z.string(),
  from: instant,
  to: instant,
  ...listMetadataSchema.shape,
})
export type SurroundingsBody = z.infer<typeof surroundingsSchema>
