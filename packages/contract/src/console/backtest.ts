import { z } from 'zod'
import { jsonObject } from '../json-object.ts'
import { limits } from '../limits.ts'

const { backtestRulesMax, exceptionsMax } = limits.rules

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
  /** Rules with matches, most frequent first. */
  rules: z.array(z.strictObject({ id: z.string(), title: z.string(), matches_total: z.int() })),
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

/** An exception to try: selections and a condition of a Sigma filter, as for its preview. */
const triedExceptionSchema = z.strictObject({ detection: jsonObject })

/** Stored rules, or a text, that run over stored events beside requests. */
export const newBacktestSchema = z.strictObject({
  ...backtestBodySchema.shape,
  rule_ids: z.array(z.string().min(1)).min(1).max(backtestRulesMax).optional(),
  /** Exceptions that each of the rules runs with, besides those of it that are in force. */
  exceptions: z
    .array(triedExceptionSchema, 'must be an array of exceptions')
    .max(exceptionsMax, `must have at most ${exceptionsMax} exceptions`)
    .optional(),
})

const entry = {
  id: z.string(),
  /** Empty for a text that is not stored. */
  rule_ids: z.array(z.string()),
  compare: z.boolean(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  /** Percent of the range that was read. */
  progress: z.int().min(0).max(100),
  requested_by: z.string(),
  requested_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
  status_url: z.string(),
}
const backtestJobEntrySchema = z.strictObject(entry)
export type BacktestJobEntryBody = z.infer<typeof backtestJobEntrySchema>

/** Backtests that are kept, newest first. */
export const backtestListSchema = z.strictObject({ backtests: z.array(backtestJobEntrySchema) })
export type BacktestListBody = z.infer<typeof backtestListSchema>

/** A backtest beside requests: what was asked for, how far it is, and what it found once it has succeeded. */
export const backtestJobSchema = z.strictObject({
  ...entry,
  definition: z.string().nullable(),
  /** The exceptions that were tried. */
  exceptions: z.array(triedExceptionSchema),
  result: backtestSchema.nullable(),
})
export type BacktestJobBody = z.infer<typeof backtestJobSchema>
