import { z } from 'zod'
import { jsonObject } from '../../json-object.ts'
import { instantParameter } from '../../page.ts'

/** An exception to try on the alerts of its rule; without a range on those of the last 30 days. */
export const exceptionPreviewBodySchema = z.strictObject({
  /** Selections and a condition of a Sigma filter, as those of an exception. */
  detection: jsonObject,
  from: instantParameter.optional(),
  to: instantParameter.optional(),
})

/** What an exception would have hidden: the alerts of which it excludes every event that is kept. */
export const exceptionPreviewSchema = z.strictObject({
  rule_id: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** The newest alerts of the rule in the range, as many as were tried. */
  alerts: z.int(),
  hidden: z.int(),
  still_alerting: z.int(),
  /** Alerts that the rule, as it is now, does not raise from the events that are kept. */
  not_evaluated: z.int(),
  /** The events that are kept of these alerts, their first and last ones, and match the rule as it is now; and those it would exclude. */
  events: z.int(),
  events_hidden: z.int(),
  /** The hidden alerts by what people said about them. */
  by_verdict: z.strictObject({ true_positive: z.int(), false_positive: z.int(), benign: z.int(), unreviewed: z.int() }),
  /** The newest of the hidden alerts, those that were confirmed first. */
  examples: z.array(z.strictObject({
    id: z.string(), created_at: z.iso.datetime(), host: z.string(), user: z.string(),
    verdict: z.enum(['true_positive', 'false_positive', 'benign', 'unreviewed']),
  })),
  /** Whether the range has more alerts than were tried: 500, or fewer with very long events. */
  truncated: z.boolean(),
})
export type ExceptionPreviewBody = z.infer<typeof exceptionPreviewSchema>
