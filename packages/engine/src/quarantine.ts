import type { CompiledRule, RuleSet } from './rule-set.ts'

/** A rule that is tried no more. */
export type QuarantinedRule = {
  readonly id: string
  /** A sentence that says why. */
  readonly reason: string
  /** Events that the engine had seen by then. */
  readonly atEventCount: number
}

/** The rules that an engine tries no more, until they are released, changed or dropped. */
export class Quarantine {
  /** With the content of each rule, by which a changed one is told. */
  readonly #rules = new Map<string, { readonly quarantined: QuarantinedRule; readonly content: string }>()

  get list(): readonly QuarantinedRule[] {
    return Array.from(this.#rules.values(), ({ quarantined }) => quarantined)
  }

  add(rule: CompiledRule, quarantined: QuarantinedRule): void {
    this.#rules.set(rule.id, { quarantined, content: serializeContent(rule) })
  }

  /** Takes a rule out and says whether it was in. */
  release(id: string): boolean {
    return this.#rules.delete(id)
  }

  /** Lets go of the rules that a rule set does not have, or has with another content. */
  retainUnchanged(ruleSet: RuleSet): void {
    for (const [id, { content }] of this.#rules) {
      const rule = ruleSet.get(id)
      if (rule === undefined || serializeContent(rule) !== content) this.#rules.delete(id)
    }
  }

  /** The numbers that its rules have in a rule set. */
  numbersIn(ruleSet: RuleSet): ReadonlySet<number> {
    return new Set([...this.#rules.keys()].flatMap((id) => ruleSet.numberOf(id) ?? []))
  }
}

/** What makes a rule match, as text. */
function serializeContent({ logsource, predicate }: CompiledRule): string {
  return JSON.stringify([logsource, predicate], (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}
