import { z } from 'zod'
import { jsonObject } from '../json-object.ts'
import { limits } from '../limits.ts'
import { largeListSchema, listParameters } from '../list.ts'
import { flagParameter, instantParameter, listParameter } from '../page.ts'

/** The name of the ATT&CK object of rules and alerts, as key and as query parameter. */
export const mitreKey = 'mitre'

export const consoleLevelSchema = z.enum(['low', 'medium', 'high', 'critical'])

const statusSchema = z.enum(['stable', 'test', 'experimental', 'deprecated', 'unsupported'])
const originSchema = z.enum(['builtin', 'custom', 'modified'])
const healthStateSchema = z.enum([
  'never_routed', 'field_never_seen', 'never_candidate', 'never_matched', 'matched',
  /** For correlations: it runs, it lost state lately, or a rule that it refers to does not run. */
  'running', 'degraded', 'idle',
  /** It is disabled or a draft, or its text no longer compiles. */
  'not_running', 'broken',
])

const healthSchema = z.strictObject({ state: healthStateSchema, problem: z.string().nullable() })

const ruleVerdictSchema = z.enum(['keep', 'tune', 'retire', 'silent'])

/** What to do about a rule, and why; null for one that does not run. */
const verdictSchema = z.strictObject({
  value: ruleVerdictSchema,
  reason: z.enum([
    'confirmed', 'healthy', 'mostly_false_positives', 'many_false_positives', 'costly', 'broken', 'degraded', 'idle',
    'never_routed', 'field_never_seen', 'never_candidate', 'never_matched',
  ]),
}).nullable()

const instant = z.iso.datetime()
const date = z.iso.date()
const mitre = z.strictObject({ tactics: z.array(z.string()), techniques: z.array(z.string()) })

/** Measured cost of a rule; null until measured. */
const costSchema = z.strictObject({
  ns_per_event_p50: z.number(), ns_per_event_p99: z.number(), cpu_share_percent: z.number(),
}).nullable()

const ruleSummarySchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  level: consoleLevelSchema,
  /** `info` on informational rules, for which the console API has no level. */
  severity_raw: z.literal('info').optional(),
  status: statusSchema,
  enabled: z.boolean(),
  /** Unset fields are empty. */
  logsource: z.strictObject({ category: z.string(), product: z.string(), service: z.string() }),
  [mitreKey]: mitre,
  created_at: instant,
  updated_at: instant,
})

export const ruleEntrySchema = z.strictObject({
  ...ruleSummarySchema.shape,
  stats: z.strictObject({
    evaluations_total: z.int(),
    matches_total: z.int(),
    true_positives: z.int(),
    false_positives: z.int(),
    match_rate: z.number(),
  }),
  cost: costSchema,
  version: z.int(),
  health: healthSchema,
  /** Matches in each of the last 24 clock hours, oldest first; the last is the current hour. */
  matches_by_hour: z.array(z.int()),
  /** Of the alerts that were judged true or false and changed in the last 7 days, the share of false ones; null without any. */
  false_positive_share_7d: z.number().nullable(),
  verdict: verdictSchema,
  /**
   * Who saved the present version: an email address, or `apikey:<name>`; null of a text that came with the server, also where the
   * rule was only switched, and of old versions.
   */
  updated_by: z.string().nullable(),
})
export type RuleEntry = z.infer<typeof ruleEntrySchema>

export const ruleListSchema = z.strictObject({
  rules: z.array(ruleEntrySchema),
  ...largeListSchema,
})
export type RuleList = z.infer<typeof ruleListSchema>

export const ruleDetailSchema = z.strictObject({
  ...ruleSummarySchema.shape,
  description: z.string(),
  author: z.string(),
  /** As the rule states them, or else the days when it was created and last changed. */
  date,
  modified: date,
  false_positives: z.array(z.string()),
  references: z.array(z.string()),
  tags: z.array(z.string()),
  stats: z.strictObject({
    evaluations_last_24h: z.int(),
    matches_last_24h: z.int(),
    true_positives_last_7d: z.int(),
    false_positives_last_7d: z.int(),
  }),
  cost: costSchema,
  /** The YAML text of the rule. */
  definition: z.string(),
  lifecycle: z.enum(['draft', 'published']),
  origin: originSchema,
  version: z.int(),
  etag: z.string(),
  /** As written in the text. */
  tests: z.array(z.unknown()),
  /** Exceptions: events that the rule does not match, until they expire. */
  filters: z.array(z.strictObject({
    id: z.string(),
    title: z.string(),
    detection: z.record(z.string(), z.unknown()),
    owner: z.string(),
    reason: z.string(),
    created_at: instant,
    expires_at: instant,
    /** Whether it is still in effect. */
    active: z.boolean(),
  })),
  /** Fields without which the rule cannot match, and whether a routed event has had them since the server started. */
  required_fields: z.array(z.strictObject({ field: z.string(), seen: z.boolean() })),
  health: healthSchema,
})
export type RuleDetail = z.infer<typeof ruleDetailSchema>

/** Query parameters of the rule list. */
export const ruleListQuerySchema = z.object({
  level: listParameter(consoleLevelSchema).optional(),
  enabled: flagParameter.optional(),
  tactic: listParameter(z.string()).optional(),
  technique: listParameter(z.string()).optional(),
  [mitreKey]: listParameter(z.string()).optional(),
  status: listParameter(statusSchema).optional(),
  origin: listParameter(originSchema).optional(),
  product: listParameter(z.string()).optional(),
  category: listParameter(z.string()).optional(),
  service: listParameter(z.string()).optional(),
  author: z.string().transform((name) => [name]).optional(),
  tag: listParameter(z.string()).optional(),
  health: listParameter(healthStateSchema).optional(),
  verdict: listParameter(ruleVerdictSchema).optional(),
  ...listParameters,
})
export type RuleListQuery = z.output<typeof ruleListQuerySchema>

export const ruleMatchSchema = z.strictObject({
  match_id: z.string(),
  /** The alert that the match raised or joined. */
  alert_id: z.string(),
  /** The id of the stored event; null for matches of earlier releases. */
  event_id: z.string().nullable(),
  /** When the event was received. */
  timestamp: instant,
  event: z.strictObject({
    process_name: z.string(),
    command_line: z.string(),
    user: z.string(),
    host: z.string(),
    /** The event's own time as written; empty if it has none. */
    timestamp: z.string(),
  }),
  verdict: z.enum(['true_positive', 'false_positive', 'benign', 'unreviewed']),
  reviewed_by: z.string().nullable(),
  reviewed_at: instant.nullable(),
})
export type RuleMatchBody = z.infer<typeof ruleMatchSchema>

export const ruleMatchListSchema = z.strictObject({
  rule_id: z.string(),
  matches: z.array(ruleMatchSchema),
  ...largeListSchema,
})
export type RuleMatchList = z.infer<typeof ruleMatchListSchema>

/** Query parameters of the matches of a rule. */
export const ruleMatchQuerySchema = z.object({
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  ...listParameters,
})

/** The id that stands for a rule that is not stored. */
export const newRuleId = 'new'

export const ruleTestQuerySchema = z.object({ explain: flagParameter.optional() })

export const ruleTestBodySchema = z.strictObject({
  // The number is checked before the events: each invalid one adds to the list of problems.
  events: z
    .array(z.unknown(), 'must be an array of events')
    .max(limits.ruleTest.eventsMax, `must have at most ${limits.ruleTest.eventsMax} events`)
    .pipe(z.array(jsonObject)),
  explain: z.boolean('must be true or false').optional(),
  definition: z.string('must be YAML text').optional(),
})
export type RuleTestBody = z.infer<typeof ruleTestBodySchema>

/** A node of an explanation: a comparison, or a part with children. */
export type ExplanationBody =
  | {
      readonly field: string | null
      readonly op: string
      readonly pattern: string
      readonly actual: unknown
      readonly result: boolean
      readonly reason: string
    }
  | { readonly node: string; readonly result: boolean; readonly children: readonly ExplanationBody[] }

const explanationSchema: z.ZodType<ExplanationBody> = z.union([
  z.strictObject({
    field: z.string().nullable(),
    op: z.string(),
    pattern: z.string(),
    actual: z.unknown(),
    result: z.boolean(),
    reason: z.string(),
  }),
  z.strictObject({
    node: z.string(),
    result: z.boolean(),
    get children() {
      return z.array(explanationSchema)
    },
  }),
])

export const ruleTestResultSchema = z.strictObject({
  results: z.array(
    z.strictObject({
      event_index: z.int(),
      matched: z.boolean(),
      matched_conditions: z.array(z.string()),
      /** How a similar event would match, such as one that names a process with its path. */
      hint: z.string().optional(),
      /** Only if requested; null beyond the maximum number of explanations per response. */
      explain: explanationSchema.nullable().optional(),
    }),
  ),
})
export type RuleTestResultBody = {
  readonly results: readonly {
    readonly event_index: number
    readonly matched: boolean
    readonly matched_conditions: readonly string[]
    readonly hint?: string
    readonly explain?: ExplanationBody | null
  }[]
}
