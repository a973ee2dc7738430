import type { CompiledCorrelation, CompiledRule, Level, Logsource } from '@tripline/engine'
import { attackOf } from './attack.ts'
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
  /** The YAML text it was compiled from; it may hold other rules too. */
  readonly definition: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** Makes the first version of a rule that came with the server. */
export function builtinRule(compiled: CompiledRule | CompiledCorrelation, facts: Pick<Rule, 'definition' | 'createdAt'>): Rule {
  const { rule } = compiled
  const maturity = rule.status ?? 'experimental'
  // A correlation is about matches of other rules, whatever their logsource.
  const { category, product, service } = 'logsource' in compiled ? compiled.logsource : {}
  return {
    id: compiled.id,
    title: compiled.title,
    level: compiled.level ?? levelDefault,
    maturity,
    // Section 1.5: an unsupported rule cannot be enabled.
    isEnabled: maturity !== 'unsupported',
    lifecycle: 'published',
    origin: 'builtin',
    version: 1,
    logsource: {
      ...(category === undefined ? {} : { category }),
      ...(product === undefined ? {} : { product }),
      ...(service === undefined ? {} : { service }),
    },
    attack: attackOf(rule.tags),
    description: rule.description ?? '',
    author: rule.author ?? '',
    date: rule.date,
    modified: rule.modified,
    falsePositives: rule.falsepositives,
    references: rule.references,
    tags: rule.tags,
    ...facts,
    updatedAt: facts.createdAt,
  }
}
