import type { CompiledCorrelation, CompiledRule, DetectionRule, Level, Logsource } from '@tripline/engine'
import { parseAttackTags } from './attack.ts'
import type { Attack } from './attack.ts'
import { levelDefault } from './level.ts'

/** How mature a rule is; Sigma's `status`. */
export type Maturity = 'stable' | 'test' | 'experimental' | 'deprecated' | 'unsupported'

/** A rule of a tenant: what its text states, and what became of it here (section 1.5). */
export type Rule = {
  readonly id: string
  readonly title: string
  readonly level: Level
  readonly maturity: Maturity
  readonly isEnabled: boolean
  readonly lifecycle: 'draft' | 'published'
  readonly origin: 'builtin' | 'custom' | 'modified'
  /** Counts the changes of the rule, from 1. */
  readonly version: number
  readonly logsource: Logsource
  readonly attack: Attack
  readonly description: string
  readonly author: string
  /** `YYYY-MM-DD`, as the rule states them. */
  readonly date: string | undefined
  readonly modified: string | undefined
  readonly falsePositives: readonly string[]
  readonly references: readonly string[]
  readonly tags: readonly string[]
  /** The YAML text it was compiled from; where it came with the server, it may hold other rules too. */
  readonly definition: string
  /** What the tenant does not want it to match, for a time. */
  readonly exceptions: readonly RuleException[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** A Sigma filter for one rule: from now until it expires, the rule matches only where this holds, too. */
export type RuleException = {
  readonly id: string
  readonly title: string
  /** Selections and a condition, as the section `filter` of a filter rule has them. */
  readonly detection: { readonly [name: string]: unknown }
  /** Who answers for it: an email, as a rule. */
  readonly owner: string
  readonly reason: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** What a rule is that its text does not say. */
export type RuleState = Pick<
  Rule, 'isEnabled' | 'lifecycle' | 'origin' | 'version' | 'definition' | 'exceptions' | 'createdAt' | 'updatedAt'
>

/** What the text of a rule states that is shown and not compiled. */
export type RuleMetadata = Pick<
  DetectionRule, 'status' | 'description' | 'author' | 'date' | 'modified' | 'falsepositives' | 'references' | 'tags'
>

/** Makes the first version of a rule that came with the server. */
export function createBuiltinRule(
  compiled: CompiledRule | CompiledCorrelation,
  facts: Pick<Rule, 'definition' | 'createdAt'>,
  stated: RuleMetadata = compiled.rule,
): Rule {
  return buildRule(compiled, {
    // Section 1.5: an unsupported rule cannot be enabled.
    isEnabled: stated.status !== 'unsupported',
    lifecycle: 'published', origin: 'builtin', version: 1, exceptions: [], ...facts, updatedAt: facts.createdAt,
  }, stated)
}

/** Whether a tenant's stream runs a rule. */
export function isRunning({ isEnabled, lifecycle }: Pick<Rule, 'isEnabled' | 'lifecycle'>): boolean {
  return isEnabled && lifecycle === 'published'
}

/** Makes a rule of what its text says and what else is known of it. */
export function buildRule(
  compiled: CompiledRule | CompiledCorrelation, standing: RuleState, stated: RuleMetadata = compiled.rule,
): Rule {
  // A correlation is about matches of other rules, whatever their logsource.
  const { category, product, service } = 'logsource' in compiled ? compiled.logsource : {}
  const { isEnabled, lifecycle, origin, version, definition, exceptions, createdAt, updatedAt } = standing
  return {
    isEnabled, lifecycle, origin, version, definition, exceptions, createdAt, updatedAt,
    id: compiled.id,
    title: compiled.title,
    level: compiled.level ?? levelDefault,
    maturity: stated.status ?? 'experimental',
    logsource: {
      ...(category === undefined ? {} : { category }),
      ...(product === undefined ? {} : { product }),
      ...(service === undefined ? {} : { service }),
    },
    attack: parseAttackTags(stated.tags),
    description: stated.description ?? '',
    author: stated.author ?? '',
    date: stated.date,
    modified: stated.modified,
    falsePositives: stated.falsepositives,
    references: stated.references,
    tags: stated.tags,
  }
}
