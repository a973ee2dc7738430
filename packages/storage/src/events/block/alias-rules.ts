import type { FieldAliases } from '@tripline/engine/evaluate'
import type { AliasRules } from './event-template.ts'

/** Alias rules with their number; equal rules are interned to one object. */
export type NumberedAliasRules = AliasRules & { readonly number: number; readonly text: string }

const byText = new Map<string, NumberedAliasRules>()
const byAliases = new WeakMap<FieldAliases, { [ignoresNameCase in 'true' | 'false']?: NumberedAliasRules }>()

/** Finds the interned rules of an event's taxonomy entry. The taxonomy has few entries and creates each once. */
export function getAliasRules({ aliases, ignoresNameCase }: AliasRules): NumberedAliasRules {
  let known = byAliases.get(aliases)
  if (known === undefined) byAliases.set(aliases, (known = {}))
  return (known[`${ignoresNameCase}`] ??= internAliasRules(JSON.stringify({ aliases: [...aliases], ignoresNameCase })))
}

/** Interns the stored text of rules: a block keeps the rules that its events were ingested with. */
export function internAliasRules(text: string): NumberedAliasRules {
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
