import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { RuleFacetsBody } from '@tripline/contract/console/rules/rule-summary'
import { callApi } from '../../api/client.ts'
import type { MessageKey } from '../../i18n/message.ts'
import { t } from '../../i18n/translate.ts'
import { printTactic } from '../../i18n/print-tactic.ts'
import type { Facet } from '../../ui/filters/facet-menu.tsx'
import { chipFilters } from './rule-url.ts'
import type { ChipFilter } from './rule-url.ts'

/** Values of each facet. */
const valuesMax = '6'

/** The most frequent values among the rules that a query of the list selects. */
export function useRuleFacets(
  { sort: _sort, ...parameters }: Readonly<Record<string, string>>,
): UseQueryResult<readonly Facet<ChipFilter>[]> {
  return useQuery({
    queryKey: ['rules', 'facets', parameters],
    queryFn: ({ signal }) => {
      const query = { ...parameters, facets: chipFilters.join(), limit: valuesMax }
      return callApi<RuleFacetsBody>('/v1/detection/rules/summary', { query, signal })
    },
    select: ({ facets }) => facets.flatMap(toFacet),
  })
}

/** A value of a filter as people read it. */
export function printRuleFilter(name: ChipFilter, value: string): string {
  if (name === 'tactic') return printTactic(value)
  return name === 'origin' || name === 'health' || name === 'verdict' ? t(`rules.${name}.${value}` as MessageKey) : value
}

function toFacet({ field, distinct, values }: RuleFacetsBody['facets'][number]): readonly Facet<ChipFilter>[] {
  const name = chipFilters.find((one) => one === field)
  if (name === undefined) return []
  const shown = values.filter(({ value }) => value !== '').map((one) => ({ ...one, label: printRuleFilter(name, one.value) }))
  return [{ name, title: t(`rules.filter.${name}`), distinct, values: shown }]
}
