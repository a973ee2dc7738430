import type { RuleFacet } from '@tripline/contract/console/rules/rule-summary'
import type { LoadedRule } from '@tripline/detection/rules/loaded-rule'
import { consoleLevels } from '@tripline/model/level'
import type { Filter } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'
import { openRuleList } from './rule-list.ts'
import type { RuleListDeps } from './rule-list.ts'

type RuleSummaryRequest = {
  readonly where: readonly Filter[]
  readonly text: string | undefined
  readonly facets: readonly RuleFacet[]
  /** Values of each facet. */
  readonly limit: number
}

type RuleSummary = { readonly total: number; readonly facets: { readonly field: RuleFacet; distinct: number; values: FacetValue[] }[] }
type FacetValue = { value: string; count: number }

/** The field of the list that each facet counts, and the word that its parameter has for a value. */
export const ruleFacetFields: { readonly [facet in RuleFacet]: { readonly field: string; readonly toWord?: (value: string) => string } } = {
  level: { field: 'level', toWord: (level) => new Map<string, string>(Object.entries(consoleLevels)).get(level) ?? level },
  enabled: { field: 'enabled', toWord: (number) => String(number === '1') },
  status: { field: 'status' },
  origin: { field: 'origin' },
  health: { field: 'health' },
  verdict: { field: 'verdict' },
  product: { field: 'product' },
  category: { field: 'category' },
  service: { field: 'service' },
  tactic: { field: 'tactic' },
  technique: { field: 'technique' },
  author: { field: 'author' },
  tag: { field: 'tag' },
}

/** Counts the rules of a selection by what they have; spellings of a value that differ in case count as the first of them. */
export async function summarizeRules(
  deps: RuleListDeps, tenant: TenantId, { where, text, facets, limit }: RuleSummaryRequest,
): Promise<RuleSummary> {
  const { list, reader } = await openRuleList(deps, tenant, { where, ...(facets.includes('verdict') && { reads: ['verdict'] }) })
  const rules: LoadedRule[] = []
  const selection = { where, ...(text !== undefined && { text }) }
  for await (const entries of list.scan(tenant, selection, { signal: new AbortController().signal })) rules.push(...entries)
  return {
    total: rules.length,
    facets: facets.map((facet) => {
      const { field, toWord = (value) => value } = ruleFacetFields[facet]
      const counts = countValues(rules.map((rule) => [reader.read(rule, field)].flat().map((value) => toWord(String(value)))))
      return { field: facet, distinct: counts.length, values: counts.slice(0, limit) }
    }),
  }
}

/** Counts each value once an entry, the most frequent first; an entry without any counts as one with the empty value. */
function countValues(entries: readonly (readonly string[])[]): FacetValue[] {
  const found = new Map<string, FacetValue>()
  for (const values of entries) {
    const byKey = new Map((values.length === 0 ? [''] : values).map((value) => [value.toLowerCase(), value]))
    for (const [key, value] of byKey) {
      const known = found.get(key)
      if (known === undefined) found.set(key, { value, count: 1 })
      else known.count++
    }
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
}
