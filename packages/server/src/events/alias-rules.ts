import type { FieldAliases } from '@tripline/engine/evaluate'
import type { NameRules } from './event-template.ts'

/** Rules for names with their number; equal rules are one object. */
export type NumberedRules = NameRules & { readonly number: number; readonly text: string }

const byText = new Map<string, NumberedRules>()
const byAliases = new WeakMap<FieldAliases, { [ignoresNameCase in 'true' | 'false']?: NumberedRules }>()

/** Finds the rules that go with what the taxonomy says of an event. The taxonomy has few, and makes each once. */
export function rulesOf({ aliases, ignoresNameCase }: NameRules): NumberedRules {
  let known = byAliases.get(aliases)
  if (known === undefined) byAliases.set(aliases, (known = {}))
  return (known[`${ignoresNameCase}`] ??= intern(JSON.stringify({ aliases: [...aliases], ignoresNameCase })))
}

/** Reads the text of rules as a block keeps it: the rules that its events came with, not those of today. */
export function intern(text: string): NumberedRules {
  const known = byText.get(text)
  if (known !== undefined) return known
  const { aliases, ignoresNameCase } = JSON.parse(text) as {
    readonly aliases: [string, string[]][]
    readonly ignoresNameCase: boolean
  }
  const rules = { aliases: new Map(aliases), ignoresNameCase, number: byText.size, text }
  byText.set(text, rules)
  return rules
}
