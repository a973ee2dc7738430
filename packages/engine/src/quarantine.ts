import type { CompiledRule, RuleSet } from './rule-set.ts'

/** A rule that is tried no more. */
export type Quarantined = {
  readonly id: string
  /** A sentence that says why. */
  readonly reason: string
  /** Events that the engine had seen by then. */
  readonly atEventCount: number
}

/** The rules that an engine tries no more, until they are released, changed or dropped. */
export class Quarantine {
  /** With the content of each rule, by which a changed one is told. */
  readonly #rules = new Map<string, { readonly quarantined: Quarantined; readonly content: string }>()

  get list(): readonly Quarantined[] {
    return Array.from(this.#rules.values(), ({ quarantined }) => quarantined)
  }

  add(rule: CompiledRule, quarantined: Quarantined): void {
    this.#rules.set(rule.id, { quarantined, content: contentOf(rule) })
  }

  /** Takes a rule out and says whether it was in. */
  release(id: string): boolean {
    return this.#rules.delete(id)
  }

  /** Lets go of the rules that a rule set does not have, or has with another content. */
  keepThoseOf(ruleSet: RuleSet): void {
    for (const [id, { content }] of this.#rules) {
      const rule = ruleSet.get(id)
      if (rule === undefined || contentOf(rule) !== content) this.#rules.delete(id)
    }
  }

  /** The numbers that its rules have in a rule set. */
  numbersIn(ruleSet: RuleSet): ReadonlySet<number> {
    return new Set([...this.#rules.keys()].flatMap((id) => ruleSet.numberOf(id) ?? []))
  }
}

/** What makes a rule match, as text. */
function contentOf({ logsource, predicate }: CompiledRule): string {
  return JSON.stringify([logsource, predicate], (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}
