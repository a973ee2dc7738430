import { sortParameter, textParameter, wordListParameter, wordParameter } from '../../lib/url-state.ts'
import type { UrlState } from '../../lib/url-state.ts'

export const ruleLevels = ['critical', 'high', 'medium', 'low'] as const
const healthStates = [
  'never_routed', 'field_never_seen', 'never_candidate', 'never_matched', 'matched', 'running', 'degraded', 'idle', 'not_running', 'broken',
] as const
const verdicts = ['keep', 'tune', 'retire', 'silent'] as const

/** The parameters of the page's address. */
export const ruleParameters = {
  q: textParameter,
  level: wordListParameter(ruleLevels),
  enabled: wordParameter(['true', 'false'] as const),
  origin: wordListParameter(['builtin', 'custom', 'modified'] as const),
  product: textParameter,
  category: textParameter,
  service: textParameter,
  tactic: textParameter,
  technique: textParameter,
  author: textParameter,
  tag: textParameter,
  health: wordListParameter(healthStates),
  verdict: wordListParameter(verdicts),
  sort: sortParameter([
    'title', 'level', 'enabled', 'alerts_last_24h', 'matches_last_24h', 'matches_total', 'cost', 'health', 'updated_at',
  ]),
  /** The matrix has an address of its own, which this leads to. */
  layout: wordParameter(['table', 'matrix'] as const),
  /** The rule whose panel is open. */
  rule: textParameter,
}
export type RuleUrl = UrlState<typeof ruleParameters>

/** The filters that are shown as chips, and whose values the menu counts. */
export const chipFilters = [
  'origin', 'health', 'verdict', 'product', 'category', 'service', 'tactic', 'technique', 'author', 'tag',
] as const
export type ChipFilter = (typeof chipFilters)[number]

/** The filters of an address that are shown as chips. */
export function listRuleChips(url: RuleUrl): readonly ChipFilter[] {
  return chipFilters.filter((name) => url[name] !== undefined)
}

/** The query of the API for what the address states. */
export function toRuleQuery(
  { level, origin, health, verdict, sort, layout: _layout, rule: _opened, ...texts }: RuleUrl,
): Record<string, string> {
  const given = {
    ...texts,
    level: level?.join(),
    origin: origin?.join(),
    health: health?.join(),
    verdict: verdict?.join(),
    sort: sort === undefined ? undefined : `${sort.field}:${sort.direction}`,
  }
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
