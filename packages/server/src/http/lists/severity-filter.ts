import type { Comparison, FilterOperator } from '@tripline/model/lists/filter'

/** The levels of each severity of the console API, which has none for informational. */
export const levelsBySeverity: { readonly [word: string]: readonly string[] } = {
  low: ['informational', 'low'], medium: ['medium'], high: ['high'], critical: ['critical'],
}

/** Builds a comparison of levels from severities: `gte low` includes informational, `gt low` excludes both. */
export function buildSeverityFilter(field: string, operator: FilterOperator, words: readonly string[]): Comparison {
  const lowest = (word = ''): string => levelsBySeverity[word]?.at(0) ?? word
  const highest = (word = ''): string => levelsBySeverity[word]?.at(-1) ?? word
  const [first, second] = words
  switch (operator) {
    case 'gte':
    case 'lt':
      return { field, operator, value: lowest(first) }
    case 'gt':
    case 'lte':
      return { field, operator, value: highest(first) }
    case 'between':
      return { field, operator, value: [lowest(first), highest(second)] }
    default: {
      const isNegative = operator === 'ne' || operator === 'nin'
      return { field, operator: isNegative ? 'nin' : 'in', value: words.flatMap((word) => levelsBySeverity[word] ?? []) }
    }
  }
}
