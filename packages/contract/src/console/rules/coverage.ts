import { z } from 'zod'

const coverageStateSchema = z.enum(['no_rule', 'disabled', 'no_data', 'unhealthy', 'covered', 'matched'])

/** Numbers of rules; each is part of the one before it. */
const counts = {
  rules: z.int(),
  enabled: z.int(),
  /** Enabled, and events of the log source have arrived since the server started or in the day before. */
  with_data: z.int(),
  /** Enabled, with data, and nothing is known to prevent a match. */
  effective: z.int(),
  /** Matches of effective rules, since their counting began. */
  matches: z.int(),
  /** Those of the last 30 days. */
  matched_30d: z.int(),
}

/** What the rules of a tenant cover of ATT&CK. */
export const coverageSchema = z.strictObject({
  attack_version: z.string(),
  tactics: z.array(z.strictObject({ tactic: z.string(), techniques: z.int(), covered_techniques: z.int(), ...counts })),
  /** All techniques of the enterprise matrix, and others that rules name, by id. */
  techniques: z.array(z.strictObject({
    technique: z.string(),
    /** As ATT&CK calls it; empty for an id that its enterprise matrix lacks. */
    name: z.string(),
    tactics: z.array(z.string()),
    state: coverageStateSchema,
    ...counts,
  })),
  /** `untagged` counts rules that name no technique. */
  totals: z.strictObject({ ...counts, untagged: z.int() }),
})
export type CoverageBody = z.infer<typeof coverageSchema>

/** A layer of the ATT&CK Navigator, in its own format. */
export const navigatorLayerSchema = z.looseObject({ name: z.string(), domain: z.string(), techniques: z.array(z.looseObject({})) })

export const coverageQuerySchema = z.object({
  /** `navigator` returns a layer of the ATT&CK Navigator. */
  format: z.enum(['json', 'navigator']).default('json'),
  /** What the layer shows. */
  layer: z.enum(['rules', 'hits', 'gaps']).default('rules'),
})
