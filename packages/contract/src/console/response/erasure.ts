import { z } from 'zod'
import { limits } from '../../limits.ts'

const { identifiersMax, identifierLengthMin, identifierLengthMax } = limits.erasure

/** Texts that identify a person; each is looked for in any case of letters, also inside of other texts. */
export const newErasureSchema = z.strictObject({
  identifiers: z.array(z.string().min(identifierLengthMin).max(identifierLengthMax)).min(1).max(identifiersMax),
})

/** The erasure of a person's data, and what became of it. */
export const erasureSchema = z.strictObject({
  request_id: z.string(),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  requested_by: z.string(),
  requested_at: z.iso.datetime(),
  /** Null until it has ended. */
  finished_at: z.iso.datetime().nullable(),
  /** Events that were erased. */
  events_erased: z.int(),
  /** Rows of alerts, incidents, identities and the like that were changed or deleted. */
  rows_erased: z.int(),
  /** The first definitions that still name the person, since they would do something else without the name. */
  still_named: z.array(z.strictObject({
    type: z.enum(['rule', 'playbook', 'channel', 'channel_route', 'webhook', 'connector', 'settings', 'group']), id: z.string(),
  })),
  /** Why it failed; empty otherwise. */
  error: z.string(),
})
export type ErasureBody = z.infer<typeof erasureSchema>
