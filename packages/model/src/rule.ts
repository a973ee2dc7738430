import type { CompiledCorrelation, CompiledRule, DetectionRule, Level, Logsource } from '@tripline/engine'
import { parseAttackTags } from './attack.ts'
import type { Attack } from './attack.ts'
import { levelDefault } from './level.ts'

/** Maturity of a rule: Sigma's `status`. */
type Maturity = 'stable' | 'test' | 'experimental' | 'deprecated' | 'unsupported'

/** A rule of a tenant: attributes from its text, and its state. */
export type Rule = {
  readonly id: string
  readonly title: string
  readonly level: Level
  readonly maturity: Maturity
  readonly isEnabled: boolean
  readonly lifecycle: 'draft' | 'published'
  readonly origin: 'builtin' | 'custom' | 'modified'
  /** Counts changes, from 1. */
  readonly version: number
  readonly logsource: Logsource
  readonly attack: Attack
  readonly description: string
  readonly author: string
  /** `YYYY-MM-DD`, as in the text. */
  readonly date: string | undefined
  readonly modified: string | undefined
  readonly falsePositives: readonly string[]
  readonly references: readonly string[]
  readonly tags: readonly string[]
  /** The YAML text; for built-in rules it may contain other rules as well. */
  readonly definition: string
  /** Exceptions of the tenant, until they expire. */
  readonly exceptions: readonly RuleException[]
  readonly createdAt: number
  readonly updatedAt: number
}

/** A Sigma filter for one rule: until it expires, the rule only matches where the filter holds as well. */
export type RuleException = {
  readonly id: string
  readonly title: string
  /** Selections and a condition, as in the `filter` section of a filter rule. */
  readonly detection: { readonly [name: string]: unknown }
  /** The responsible owner, usually an email address. */
  readonly owner: string
  readonly reason: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** A processing pipeline of a tenant: it rewrites rules before they are compiled. */
export type StoredRulePipeline = {
  readonly id: string
  /** Unique in a tenant. */
  readonly name: string
  /** YAML, as pySigma reads it. */
  readonly text: string
  /** Pipelines run in the order of their priorities, the lowest first. */
  readonly priority: number
  readonly isEnabled: boolean
  /** Counts changes, from 1. */
  readonly version: number
  readonly createdBy: string
  readonly updatedBy: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a change states of a pipeline. */
export type RulePipelineChange = Partial<Pick<StoredRulePipeline, 'name' | 'text' | 'priority' | 'isEnabled'>>

/** State of a rule that is not part of its text. */
type RuleState = Pick<
  Rule, 'isEnabled' | 'lifecycle' | 'origin' | 'version' | 'definition' | 'exceptions' | 'createdAt' | 'updatedAt'
>

/** Attributes of a rule's text that are shown but not compiled. */
export type RuleMetadata = Pick<
  DetectionRule, 'status' | 'description' | 'author' | 'date' | 'modified' | 'falsepositives' | 'references' | 'tags'
>

/** Creates the first version of a built-in rule. */
export function createBuiltinRule(
  compiled: CompiledRule | CompiledCorrelation,
  facts: Pick<Rule, 'definition' | 'createdAt'>,
  stated: RuleMetadata = compiled.rule,
): Rule {
  return buildRule(compiled, {
    // An unsupported rule cannot be enabled.
    isEnabled: stated.status !== 'unsupported',
    lifecycle: 'published', origin: 'builtin', version: 1, exceptions: [], ...facts, updatedAt: facts.createdAt,
  }, stated)
}

/** Whether the tenant's stream runs a rule. */
export function isRunning({ isEnabled, lifecycle }: Pick<Rule, 'isEnabled' | 'lifecycle'>): boolean {
  return isEnabled && lifecycle === 'published'
}

/** Builds a rule from its compiled text and its state. */
export function buildRule(
  compiled: CompiledRule | CompiledCorrelation, standing: RuleState, stated: RuleMetadata = compiled.rule,
): Rule {
  // A correlation uses matches of other rules, whatever their log source.
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
