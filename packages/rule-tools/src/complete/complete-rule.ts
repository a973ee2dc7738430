import { levels, statuses } from '@tripline/engine'
import { modifierNames } from '@tripline/engine/authoring'
import { getCategoryFields } from '../checks/event-fields.ts'
import { categories, logsourceKeys, logsourceProducts } from '../checks/logsource-checks.ts'
import { tagTactics } from '../checks/tag-checks.ts'
import { readPlace } from './read-place.ts'
import type { Place } from './read-place.ts'

/** A word that fits where the cursor is. */
export type RuleSuggestion = {
  readonly text: string
  readonly kind: 'attribute' | 'field' | 'modifier' | 'selection' | 'value' | 'word'
}

/** What fits at the cursor, in place of the text from `from` to `to`. */
export type RuleCompletion = { readonly from: number; readonly to: number; readonly suggestions: readonly RuleSuggestion[] }

/** What is known besides the text: the fields of events that were seen. */
type RuleCatalog = { readonly fields: readonly string[] }

const ruleAttributes = [
  'title', 'id', 'name', 'status', 'description', 'references', 'author', 'date', 'modified', 'tags', 'logsource', 'detection',
  'correlation', 'filter', 'falsepositives', 'level', 'fields', 'related', 'license', 'tests',
]
const correlationAttributes = ['type', 'rules', 'group-by', 'timespan', 'condition', 'generate', 'aliases']
const correlationTypes = [
  'event_count', 'value_count', 'temporal', 'temporal_ordered', 'value_sum', 'value_avg', 'value_percentile', 'value_median',
]
const conditionWords = ['and', 'or', 'not', '1 of', 'all of', '1 of them', 'all of them']

/** Values of attributes at the top of a rule and in its log source. */
const valuesByPath: { readonly [path: string]: readonly string[] } = {
  'status': statuses,
  'level': levels,
  'logsource.category': categories,
  'logsource.product': logsourceProducts,
  'correlation.type': correlationTypes,
  'tags': tagTactics.map((tactic) => `attack.${tactic}`),
}

const keysByPath: { readonly [path: string]: readonly string[] } = {
  '': ruleAttributes,
  'logsource': logsourceKeys,
  'correlation': correlationAttributes,
  'correlation.condition': ['gte', 'gt', 'lte', 'lt', 'eq', 'neq', 'field'],
}

/**
 * Suggests what fits at an offset of a rule's text: attributes, log sources, tags, fields, modifiers, and in a condition the names
 * of the selections. Reads lines and their indentation, not YAML, because a text that is being written is seldom valid.
 */
export function completeRule(text: string, offset: number, { fields }: RuleCatalog): RuleCompletion | undefined {
  const place = readPlace(text, offset)
  const suggestions = suggest(place, text, fields)
  const typed = place.word.toLowerCase()
  const fitting = suggestions.filter((one) => one.text.toLowerCase().includes(typed) && one.text !== place.word)
  // What begins with the text comes before what merely contains it.
  const isPrefixed = ({ text: word }: RuleSuggestion): boolean => word.toLowerCase().startsWith(typed)
  const sorted = [...fitting.filter(isPrefixed), ...fitting.filter((one) => !isPrefixed(one))]
  return sorted.length === 0 ? undefined : { from: offset - place.word.length, to: offset, suggestions: sorted }
}

function suggest({ path, isKey, modifiedField, selections }: Place, text: string, fields: readonly string[]): readonly RuleSuggestion[] {
  const [top, name, ...rest] = path
  if (modifiedField !== undefined) return toSuggestions('modifier', modifierNames)
  if (!isKey && path.length === 2 && name === 'condition' && (top === 'detection' || top === 'filter')) {
    return [...toSuggestions('selection', selections), ...toSuggestions('word', conditionWords)]
  }
  const joined = path.join('.')
  if (!isKey) return toSuggestions('value', valuesByPath[joined] ?? [])
  if (joined === 'detection' || joined === 'filter') return toSuggestions('word', ['selection', 'filter', 'condition'])
  if ((top === 'detection' || top === 'filter') && name !== undefined && rest.length === 0) {
    const ofCategory = getCategoryFields(/(?:^ {1,8}|[{,] *)category: *['"]?([a-z_]+)/m.exec(text)?.[1] ?? '') ?? []
    return toSuggestions('field', [...new Set([...fields, ...ofCategory])])
  }
  return toSuggestions('attribute', keysByPath[joined] ?? [])
}

function toSuggestions(kind: RuleSuggestion['kind'], words: readonly string[]): readonly RuleSuggestion[] {
  return words.map((text) => ({ text, kind }))
}
