import { z } from 'zod'
import { limits } from '../../limits.ts'

const { contextRulesMax, contextNameLengthMax } = limits.rules

const versionFacts = {
  version: z.int(),
  saved_at: z.iso.datetime(),
  /** Who saved it: an email address, or `apikey:<name>`; null of the text that came with the server, and of old versions. */
  saved_by: z.string().nullable(),
}

export const ruleVersionListSchema = z.strictObject({
  rule_id: z.string(),
  /** The newest first. */
  versions: z.array(z.strictObject({
    ...versionFacts,
    /** Whether its text differs from that of the kept version before. */
    text_changed: z.boolean(),
  })),
})

export type RuleVersionListBody = z.infer<typeof ruleVersionListSchema>

export const ruleVersionSchema = z.strictObject({ rule_id: z.string(), ...versionFacts, definition: z.string() })
export type RuleVersionBody = z.infer<typeof ruleVersionSchema>

/** Ids or names of rules, separated by commas. */
const namesParameter = z.string()
  .transform((text) => text.split(',').map((name) => name.trim()).filter((name) => name !== ''))
  .pipe(z.array(z.string().max(contextNameLengthMax)).max(contextRulesMax, `must name at most ${contextRulesMax} rules`))
  .meta({ type: 'string' })

export const compileContextQuerySchema = z.object({
  /** A stored rule, whose exceptions and references count. */
  rule: z.string().optional(),
  /** Rules that a text refers to, by id or name. */
  refers_to: namesParameter.optional(),
})

/** What a rule is compiled with besides its text, so that a client reaches the verdict of the server. */
export const compileContextSchema = z.strictObject({
  /** Texts of filter rules: those of the installation, and the exceptions in force of all rules concerned. */
  filters: z.array(z.strictObject({ path: z.string(), text: z.string() })),
  /** Texts of the rule pipelines that run, in their order. */
  pipelines: z.array(z.string()),
  /** The values that these pipelines give to placeholders by `value_placeholders`, by name without percent signs. */
  placeholders: z.record(z.string(), z.array(z.string())),
  /** Texts of the rules that are referred to, directly or indirectly. */
  rules: z.array(z.strictObject({ id: z.string(), title: z.string(), text: z.string() })),
  /** Names that are no rule of the tenant. */
  unknown: z.array(z.string()),
  /** The version of the engine of the server: another one may compile the same texts otherwise. */
  engine_version: z.string(),
})
export type CompileContextBody = z.infer<typeof compileContextSchema>
