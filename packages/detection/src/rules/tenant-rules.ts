import type { RuleSet } from '@tripline/engine'
import type { BuiltinRules } from './builtin-rules.ts'
import type { LoadedRule } from './loaded-rule.ts'
import { getRunningParts } from './loaded-rule.ts'

/** A change of a tenant's rules: rules to add or replace, and rules to remove. */
type TenantRulesChange = { readonly put?: readonly LoadedRule[]; readonly remove?: readonly string[] }

/**
 * The immutable rules of a tenant: the built-in ones under the tenant's own. A changed copy shares everything that did
 * not change (structural sharing).
 */
export class TenantRules {
  readonly library: BuiltinRules
  /** The rules that differ from the built-in ones, by id. */
  readonly own: ReadonlyMap<string, LoadedRule>
  /** All rules, compiled: for tests and references. */
  readonly all: RuleSet
  /** The rules that the tenant's stream runs. */
  readonly running: RuleSet
  #sorted: readonly LoadedRule[] | undefined

  private constructor(library: BuiltinRules, own: ReadonlyMap<string, LoadedRule>, sets: Pick<TenantRules, 'all' | 'running'>) {
    this.library = library
    this.own = own
    this.all = sets.all
    this.running = sets.running
  }

  /** The rules of a tenant that has changed nothing. */
  static fromBuiltin(library: BuiltinRules): TenantRules {
    return new TenantRules(library, new Map(), library)
  }

  get(id: string): LoadedRule | undefined {
    return this.own.get(id) ?? this.library.rules.get(id)
  }

  /** All rules, by id. */
  get rules(): readonly LoadedRule[] {
    if (this.#sorted !== undefined) return this.#sorted
    const rules = [...new Map([...this.library.rules, ...this.own]).values()]
    return (this.#sorted = rules.sort(({ rule: a }, { rule: b }) => (a.id < b.id ? -1 : Number(a.id > b.id))))
  }

  /** The versions of the tenant's own rules; built-in rules have version 1. */
  get versions(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.own, ([id, { rule }]) => [id, rule.version]))
  }

  /** The id of the rule with a Sigma `name`. */
  findIdByName(name: string): string | undefined {
    const named = [...this.all.rules, ...this.all.correlations.map(({ id, rule }) => ({ id, name: rule.name }))]
    return named.find((rule) => rule.name === name)?.id
  }

  /** Correlations that refer to a rule, and the name they use. */
  findReferrers(id: string): readonly { readonly id: string; readonly title: string; readonly name: string }[] {
    return this.all.correlations.flatMap(({ members, ...rule }) => {
      return members.filter(({ ruleId }) => ruleId === id).map(({ name }) => ({ id: rule.id, title: rule.title, name }))
    })
  }

  /** A removed rule returns to its built-in form, if it has one. */
  withChange({ put = [], remove = [] }: TenantRulesChange): TenantRules {
    const own = new Map(this.own)
    for (const id of remove) own.delete(id)
    for (const loaded of put) own.set(loaded.rule.id, loaded)
    const returned = remove.flatMap((id) => this.library.rules.get(id) ?? [])
    const after = [...returned, ...put]
    const before = [...remove, ...put.map(({ rule }) => rule.id)].flatMap((id) => this.get(id) ?? [])
    return new TenantRules(this.library, own, {
      all: updateRuleSet(this.all, { before: before.flatMap(({ parts }) => parts), after: after.flatMap(({ parts }) => parts) }),
      running: updateRuleSet(this.running, { before: before.flatMap(getRunningParts), after: after.flatMap(getRunningParts) }),
    })
  }
}

/** The same rule set if nothing changes, so that engines need no swap. */
function updateRuleSet(ruleSet: RuleSet, { before, after }: Record<'before' | 'after', LoadedRule['parts']>): RuleSet {
  const isSame = before.length === after.length && before.every((part, i) => part === after[i])
  return isSame ? ruleSet : ruleSet.applyChange({ put: after, drop: before.map(({ id }) => id) })
}
