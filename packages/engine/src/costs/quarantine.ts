import type { CompiledRule, RuleSet } from '../rule-set.ts'

/** A rule in quarantine: the engine does not run it. */
export type QuarantinedRule = {
  readonly id: string
  /** Why, in a sentence. */
  readonly reason: string
  /** Number of events that the engine had seen at that time. */
  readonly atEventCount: number
}

/** The rules that an engine does not run until they are released, changed or removed. */
export class Quarantine {
  /** By id: the entry, and the content of the rule, to detect a change. */
  readonly #rules = new Map<string, { readonly quarantined: QuarantinedRule; readonly content: string }>()

  get list(): readonly QuarantinedRule[] {
    return Array.from(this.#rules.values(), ({ quarantined }) => quarantined)
  }

  add(rule: CompiledRule, quarantined: QuarantinedRule): void {
    this.#rules.set(rule.id, { quarantined, content: serializeContent(rule) })
  }

  /** Releases a rule and returns whether it was quarantined. */
  release(id: string): boolean {
    return this.#rules.delete(id)
  }

  /** Releases the rules that a rule set lacks or has with another content. */
  retainUnchanged(ruleSet: RuleSet): void {
    for (const [id, { content }] of this.#rules) {
      const rule = ruleSet.get(id)
      if (rule === undefined || serializeContent(rule) !== content) this.#rules.delete(id)
    }
  }

  /** Lists the numbers of the quarantined rules in a rule set. */
  numbersIn(ruleSet: RuleSet): ReadonlySet<number> {
    return new Set([...this.#rules.keys()].flatMap((id) => ruleSet.numberOf(id) ?? []))
  }
}

/** Serializes the parts of a rule that decide what it matches. */
function serializeContent({ logsource, predicate }: CompiledRule): string {
  return JSON.stringify([logsource, predicate], (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}
