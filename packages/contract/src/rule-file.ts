import { z } from 'zod'

const level = z.enum(['informational', 'low', 'medium', 'high', 'critical'])
const texts = z.array(z.string())
const logsource = z.looseObject({
  category: z.string().nullish(), product: z.string().nullish(), service: z.string().nullish(), definition: z.string().nullish(),
})

const sharedAttributes = {
  title: z.string().max(256),
  id: z.string().nullish(),
  name: z.string().optional(),
  related: z.array(z.looseObject({
    id: z.string(), type: z.enum(['correlation', 'derived', 'merged', 'obsolete', 'renamed', 'similar']),
  })).optional(),
  taxonomy: z.string().optional(),
  status: z.enum(['stable', 'test', 'experimental', 'deprecated', 'unsupported']).optional(),
  description: z.string().optional(),
  license: z.string().optional(),
  author: z.string().optional(),
  references: texts.optional(),
  date: z.string().optional(),
  modified: z.string().optional(),
  fields: texts.optional(),
  falsepositives: texts.optional(),
  level: level.optional(),
  tags: texts.optional(),
  scope: texts.optional(),
}

const event = z.record(z.string(), z.unknown())
const duration = z.string().regex(/^(?:\d+(?:ms|s|m|h|d))+$/, 'must be a duration such as 2s or 1m30s')
const time = z.string()
const count = z.int().min(0)

const expectedMatch = z.strictObject({ at: time.optional(), group: z.record(z.string(), z.unknown()).optional(), events: count.optional() })

/** A test of a rule: one event or a sequence, and whether or what the rule matches. */
const ruleTest = z.strictObject({
  name: z.union([z.string(), z.number(), z.boolean()]).optional(),
  start: time.optional(),
  event: event.optional(),
  sequence: z.array(z.strictObject({ at: time.optional(), event, repeat: count.optional(), every: duration.optional() })).optional(),
  match: z.boolean().optional(),
  matches: z.union([count, z.array(expectedMatch)]).optional(),
})

/** Values of a field, or of a list of keywords. */
const selection = z.union([
  z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string(), z.number(), z.boolean(), z.null(),
])
const condition = z.union([z.string(), texts])

const detectionRule = z.looseObject({
  ...sharedAttributes,
  logsource,
  detection: z.object({ condition, timeframe: z.string().optional() }).catchall(selection),
  tests: z.array(ruleTest).optional(),
})

const operators = { gt: z.number(), gte: z.number(), lt: z.number(), lte: z.number(), eq: z.number(), neq: z.number() }

const correlationRule = z.looseObject({
  ...sharedAttributes,
  generate: z.boolean().optional(),
  correlation: z.looseObject({
    'type': z.enum([
      'event_count', 'value_count', 'temporal', 'temporal_ordered', 'value_sum', 'value_avg', 'value_percentile', 'value_median',
      'temporal_extended', 'temporal_ordered_extended',
    ]),
    'rules': z.union([z.string(), texts]).optional(),
    'group-by': z.union([z.string(), texts]).optional(),
    'timespan': z.string(),
    'condition': z.union([
      z.string(),
      z.strictObject({ ...operators, field: z.union([z.string(), texts]), percentile: z.number().min(0).max(100) }).partial(),
    ]).optional(),
    'aliases': z.record(z.string(), z.record(z.string(), z.string())).optional(),
    'generate': z.boolean().optional(),
  }),
  tests: z.array(ruleTest).optional(),
})

const filterRule = z.looseObject({
  ...sharedAttributes,
  logsource,
  filter: z.object({ rules: z.union([z.string(), texts]).nullish(), condition }).catchall(selection),
})

/** A document of a rule file with its tests: a detection, a correlation or a filter. For editors; the compiler decides. */
export const ruleDocumentSchema = z.union([detectionRule, correlationRule, filterRule])

/** The same as JSON Schema (draft 2020-12). */
export function printRuleSchema(): object {
  return { title: 'Sigma rule with tests', ...z.toJSONSchema(ruleDocumentSchema) }
}
