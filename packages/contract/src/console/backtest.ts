import { z } from 'zod'

const instantBody = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' }).transform((text) => Date.parse(text))

/** The range of a backtest; the last day by default. */
export const backtestBodySchema = z.strictObject({
  from: instantBody.optional(),
  to: instantBody.optional(),
  /** YAML text to run instead of the stored rule. */
  definition: z.string('must be YAML text').optional(),
  /** Whether to run the stored rule as well and compare the matches. */
  compare: z.boolean('must be true or false').optional(),
})

const counted = z.array(z.strictObject({ value: z.string(), count: z.int() }))

const backtestMatchSchema = z.strictObject({
  timestamp: z.iso.datetime(),
  matched_conditions: z.array(z.string()),
  event: z.strictObject({ process_name: z.string(), command_line: z.string(), user: z.string(), host: z.string() }),
})

const differenceSchema = z.strictObject({ total: z.int(), examples: z.array(backtestMatchSchema) })

/** The matches of a rule in stored events. */
export const backtestSchema = z.strictObject({
  rule_id: z.string().nullable(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Events that were read: those that the rule may match. */
  events_evaluated: z.int(),
  matches_total: z.int(),
  histogram: z.array(z.strictObject({ time: z.iso.datetime(), count: z.int() })),
  /** Users, hosts and processes of the matches, most frequent first. */
  users: counted,
  hosts: counted,
  processes: counted,
  examples: z.array(backtestMatchSchema),
  /** Comparison with the stored rule if requested and completed in time: disappeared and new matches. */
  comparison: z.strictObject({ stored_matches_total: z.int(), gone: differenceSchema, added: differenceSchema }).nullable(),
  /** Whether the time budget ended before the range did. */
  truncated: z.boolean(),
  took_ms: z.number(),
})
export type BacktestBody = z.infer<typeof backtestSchema>
