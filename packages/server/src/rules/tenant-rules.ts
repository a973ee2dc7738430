import type { RuleSet } from '@tripline/engine'
import type { BuiltinRules } from './builtin-rules.ts'
import type { LoadedRule } from './loaded-rule.ts'
import { getRunningParts } from './loaded-rule.ts'

/** What differs between two books: rules put in or in the place of others, and rules taken out. */
export type TenantRulesChange = { readonly put?: readonly LoadedRule[]; readonly remove?: readonly string[] }

/**
 * The rules of a tenant, immutable: those that came with the server, under what the tenant has of its own. A changed book
 * shares with the one before, and with the library, all that did not change.
 */
export class TenantRules {
  readonly library: BuiltinRules
  /** What differs from the library, by id. */
  readonly own: ReadonlyMap<string, LoadedRule>
  /** All rules, ready to run: what is tried and what rules may name. */
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

  /** The book of a tenant that has changed nothing. */
  static of(library: BuiltinRules): TenantRules {
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

  /** The versions of the rules that have another than 1. */
  get versions(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.own, ([id, { rule }]) => [id, rule.version]))
  }

  /** The id of the rule that others call by a name. */
  findIdByName(name: string): string | undefined {
    const named = [...this.all.rules, ...this.all.correlations.map(({ id, rule }) => ({ id, name: rule.name }))]
    return named.find((rule) => rule.name === name)?.id
  }

  /** Correlations that name a rule, and what they call it. */
  findReferrers(id: string): readonly { readonly id: string; readonly title: string; readonly name: string }[] {
    return this.all.correlations.flatMap(({ members, ...rule }) => {
      return members.filter(({ ruleId }) => ruleId === id).map(({ name }) => ({ id: rule.id, title: rule.title, name }))
    })
  }

  /** A rule that is taken out comes back as the library has it, where it does. */
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

/** The same rule set where nothing of it changes: an engine that runs it need not hear of that. */
function updateRuleSet(ruleSet: RuleSet, { before, after }: Record<'before' | 'after', LoadedRule['parts']>): RuleSet {
  const isSame = before.length === after.length && before.every((part, i) => part === after[i])
  return isSame ? ruleSet : ruleSet.applyChange({ put: after, drop: before.map(({ id }) => id) })
}
