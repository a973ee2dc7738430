import { z } from 'zod'

const instantBody = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' }).transform((text) => Date.parse(text))

/** Which part of the past a rule is run over; without times, the last day. */
export const backtestBodySchema = z.strictObject({
  from: instantBody.optional(),
  to: instantBody.optional(),
  /** YAML text that is run in place of what is stored, or of nothing for a new rule. */
  definition: z.string('must be YAML text').optional(),
  /** Whether the stored rule is run, too, and the matches of both are compared. */
  compare: z.boolean('must be true or false').optional(),
})

const counted = z.array(z.strictObject({ value: z.string(), count: z.int() }))

const backtestMatchSchema = z.strictObject({
  timestamp: z.iso.datetime(),
  matched_conditions: z.array(z.string()),
  event: z.strictObject({ process_name: z.string(), command_line: z.string(), user: z.string(), host: z.string() }),
})

const differenceSchema = z.strictObject({ total: z.int(), examples: z.array(backtestMatchSchema) })

/** What a rule would have matched. */
export const backtestSchema = z.strictObject({
  rule_id: z.string().nullable(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Events that were looked at: those that the rule may match. */
  events_evaluated: z.int(),
  matches_total: z.int(),
  histogram: z.array(z.strictObject({ time: z.iso.datetime(), count: z.int() })),
  /** Who and what the matches are about, the most frequent first. */
  users: counted,
  hosts: counted,
  processes: counted,
  examples: z.array(backtestMatchSchema),
  /** Against the stored rule, where that was asked for and the time was enough: its matches that are gone, and those that are new. */
  comparison: z.strictObject({ stored_matches_total: z.int(), gone: differenceSchema, added: differenceSchema }).nullable(),
  /** Whether the time was over before the end of the range. */
  truncated: z.boolean(),
  took_ms: z.number(),
})
export type BacktestBody = z.infer<typeof backtestSchema>
