import { healthStates } from '@tripline/engine'
import type { CompiledCorrelation, EngineCounts, RuleHealth, RuleLogsource, RuleSet } from '@tripline/engine'
import { escapeControl } from '../framework/escape-control.ts'
import { limits } from '../limits.ts'
import type { TestRow } from '../rules/test-report.ts'

/** The rules after a run over events and after their tests. */
type HealthRun = {
  readonly ruleSet: RuleSet
  readonly counts: EngineCounts
  readonly health: readonly RuleHealth[]
  /** By the id of a correlation: how often it matched. */
  readonly correlated: ReadonlyMap<string, number>
  readonly tests: readonly TestRow[]
}

/** The states of detection rules and those of correlations, with their descriptions. */
const stateTexts = {
  ...healthStates,
  never_fed: 'a rule that it references has not matched',
  only_named: 'only other correlations use its matches, which are not counted',
} as const
type State = keyof typeof stateTexts

/** The order in which states are printed. */
const stateOrder: readonly State[] = [
  'field_never_seen', 'never_fed', 'never_matched', 'never_candidate', 'only_named', 'never_routed', 'matched',
]

type HealthRow = {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly kind: 'detection' | 'correlation'
  /** Undefined of a correlation. */
  readonly logsource: RuleLogsource | undefined
  readonly state: State
  readonly missing_fields: readonly string[]
  /** Rules that a correlation names and that have not matched. */
  readonly silent_rules: readonly string[]
  readonly met_events: number | null
  readonly candidates: number | null
  readonly matches: number | null
  readonly tests: number
  readonly failing_tests: readonly string[]
}

type HealthReport = ReturnType<typeof summarizeHealth>

/** Summarizes for each rule how far events got, and which of its tests fail. */
export function summarizeHealth({ ruleSet, counts, health, correlated, tests }: HealthRun) {
  const testsOf = new Map<string, TestRow[]>()
  for (const row of tests) testsOf.set(row.ruleId, [...(testsOf.get(row.ruleId) ?? []), row])
  const ofTests = (id: string) => {
    const own = testsOf.get(id) ?? []
    return { tests: own.length, failing_tests: own.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name) }
  }
  const matched = new Set([...health.filter(({ confirmed }) => confirmed > 0).map(({ id }) => id), ...correlated.keys()])
  const rules: HealthRow[] = [
    ...health.map((one) => ({ ...toDetectionRow(one, ruleSet), ...ofTests(one.id) })),
    ...ruleSet.correlations.map((one) => ({ ...toCorrelationRow(one, ruleSet, { matched, correlated }), ...ofTests(one.id) })),
  ]
  const ofState = (state: State): number => rules.filter((row) => row.state === state).length
  return {
    rules: rules.toSorted((a, b) => isFailing(b) - isFailing(a) || stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state)),
    totals: {
      ...counts,
      rules: rules.length,
      ...Object.fromEntries(stateOrder.map((state) => [state, ofState(state)])) as { readonly [S in State]: number },
      failing_tests: rules.filter((row) => row.failing_tests.length > 0).length,
    },
  }
}

function isFailing({ failing_tests: failing }: HealthRow): number {
  return failing.length > 0 ? 1 : 0
}

type RowHead = Omit<HealthRow, 'tests' | 'failing_tests'>

function toDetectionRow(
  { id, title, path, state, missingFields, metEvents, candidates, confirmed }: RuleHealth, ruleSet: RuleSet,
): RowHead {
  return {
    id, title, path, kind: 'detection', logsource: ruleSet.get(id)?.logsource, state, missing_fields: missingFields,
    silent_rules: [], met_events: metEvents, candidates, matches: confirmed,
  }
}

function toCorrelationRow(
  { id, title, path, members }: CompiledCorrelation, ruleSet: RuleSet,
  { matched, correlated }: { readonly matched: ReadonlySet<string>; readonly correlated: ReadonlyMap<string, number> },
): RowHead {
  const unknown = new Set(ruleSet.correlations.filter((one) => isOnlyNamed(one.id, ruleSet)).map((one) => one.id))
  const silent = members.filter(({ ruleId }) => !matched.has(ruleId) && !unknown.has(ruleId)).map(({ name }) => name)
  const matches = correlated.get(id) ?? 0
  const isFed = silent.length < members.length
  const state = matches > 0 ? 'matched' : !isFed ? 'never_fed' : unknown.has(id) ? 'only_named' : 'never_matched'
  return {
    id, title, path, kind: 'correlation', logsource: undefined, state, missing_fields: [], silent_rules: silent,
    met_events: null, candidates: null, matches: unknown.has(id) ? null : matches,
  }
}

/** Whether at least one correlation references a rule, and none of them generates its matches. */
function isOnlyNamed(id: string, { correlations }: RuleSet): boolean {
  const naming = correlations.filter(({ members }) => members.some(({ ruleId }) => ruleId === id))
  return naming.length > 0 && !naming.some(({ rule }) => rule.correlation.generates)
}

export function printHealthJson(report: HealthReport): string {
  return `${JSON.stringify(report)}\n`
}

/** The rules that did not match or fail their tests, fixable ones first, then the count of each state. */
export function printHealthText({ rules, totals }: HealthReport, rowsMax: number): string {
  const unwell = printRows(rules.filter((row) => row.state !== 'matched' || isFailing(row) === 1))
  const shown = unwell.slice(0, rowsMax)
  const more = unwell.length <= rowsMax ? [] : [`and ${formatNumber(unwell.length - rowsMax)} more lines (--top, --json)`]
  const width = Math.max(...stateOrder.map((state) => formatNumber(totals[state]).length), formatNumber(totals.failing_tests).length)
  const aligned = (count: number, text: string): string => `${formatNumber(count).padStart(width)}  ${text}`
  const lines = [
    ...shown,
    ...more,
    ...(shown.length === 0 ? [] : ['']),
    `${printCount(totals.rules, 'rule')} on ${printCount(totals.events, 'event')}`,
    ...stateOrder.filter((state) => totals[state] > 0).map((state) => aligned(totals[state], `${printState(state)}: ${stateTexts[state]}`)),
    ...(totals.failing_tests === 0 ? [] : [aligned(totals.failing_tests, 'fail their tests')]),
  ]
  return `${lines.join('\n')}\n`
}

/** A line for each rule; rules whose log source no event has share one line per log source. */
function printRows(rows: readonly HealthRow[]): string[] {
  const unrouted = new Map<string, number>()
  const lines = rows.map((row) => {
    if (row.state !== 'never_routed' || isFailing(row) === 1) return printRow(row)
    const logsource = printLogsource(row.logsource)
    unrouted.set(logsource, (unrouted.get(logsource) ?? 0) + 1)
    return undefined
  })
  const grouped = [...unrouted].toSorted(([, a], [, b]) => b - a).map(([logsource, count]) => {
    return `${printState('never_routed').padEnd(16)}  ${logsource}: ${printCount(count, 'rule')}`
  })
  return [...lines.filter((line) => line !== undefined), ...grouped]
}

function printLogsource(logsource: RuleLogsource = {}): string {
  const parts = (['product', 'category', 'service'] as const).flatMap((key) => logsource[key] ?? logsource.anyOf?.[key]?.join('|') ?? [])
  return escapeControl(parts.join(' '))
}

function printRow(row: HealthRow): string {
  const notes = [
    ...(row.missing_fields.length === 0 ? [] : [`no event has ${printNames(row.missing_fields)}`]),
    ...(row.silent_rules.length === 0 ? [] : [`nothing matches ${printNames(row.silent_rules)}`]),
    ...(row.failing_tests.length === 0 ? [] : [`fails ${printNames(row.failing_tests.map((name) => `'${name}'`))}`]),
  ]
  const note = notes.length === 0 ? '' : `: ${notes.join('; ')}`
  return `${printState(row.state).padEnd(16)}  ${escapeControl(row.title)} (${escapeControl(row.id)})${note}`
}

function printState(state: State): string {
  return state.replaceAll('_', ' ')
}

function printNames(names: readonly string[]): string {
  const more = names.length - limits.healthFieldsMax
  return `${names.slice(0, limits.healthFieldsMax).map(escapeControl).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function printCount(count: number, thing: string): string {
  return `${formatNumber(count)} ${thing}${count === 1 ? '' : 's'}`
}

function formatNumber(number: number): string {
  return number.toLocaleString('en')
}
