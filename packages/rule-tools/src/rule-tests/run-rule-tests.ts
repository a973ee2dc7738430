import type {
  Compilation, CompiledCorrelation, CorrelationExplanation, EventOptions, Match, RuleExplanation, CompiledRule,
} from '@tripline/engine'
import { Engine, explainCorrelation, explain, RuleSet } from '@tripline/engine'
import { findEventTime } from '@tripline/engine/evaluate'
import { normalizeEvent } from '@tripline/engine/predicate'
import { describeMismatch } from './compare-matches.ts'
import type { ActualMatch } from './compare-matches.ts'
import type { RuleTest, RuleTestSuite, TestEvent } from './rule-test.ts'

/** The result of a test. */
export type RuleTestReport = {
  readonly suite: RuleTestSuite
  readonly test: RuleTest
  /** Why the test failed, in one sentence; undefined when it passed. */
  readonly failure: string | undefined
  /** The matches of the rule in the order of their decision. */
  readonly found: readonly ActualMatch[]
  /** How many events have no recognizable logsource: outside of a test no rule is tried on them. */
  readonly unroutedCount: number
  /** Why a detection rule matched or not, when a test with one event failed. */
  readonly explanation: RuleExplanation | undefined
  /** How close a correlation came to a match, when its test failed; rows are indexes of the test events. */
  readonly correlation: CorrelationExplanation | undefined
}

const noExplanation = { explanation: undefined, correlation: undefined }

/**
 * Runs the tests of compiled rules and yields their results in order. Each test gets its own engine with the tested
 * rule and the rules it names. Events arrive at the times of the virtual clock, and all windows close at the end. An
 * event without a recognizable logsource is treated as one of the logsource of the rule.
 */
export function* runRuleTests(
  { ruleSet, reports }: Compilation, suites: Iterable<RuleTestSuite>, { taxonomy = 'auto' }: Pick<EventOptions, 'taxonomy'> = {},
): Generator<RuleTestReport> {
  const options = { taxonomy, lenient: true } as const
  for (const suite of suites) {
    const subject = findTestedRule(suite.ruleId ?? '', ruleSet)
    for (const test of suite.tests) {
      if (subject !== undefined) yield runTest(suite, test, new TestRunner(subject, options))
      else yield { suite, test, failure: explainMissingRule(suite, reports), found: [], unroutedCount: 0, ...noExplanation }
    }
  }
}

/** A tested rule, and the rule set of this rule and the rules it names. */
type TestedRule = { readonly rule: CompiledRule | CompiledCorrelation; readonly ruleSet: RuleSet }

function findTestedRule(id: string, ruleSet: RuleSet): TestedRule | undefined {
  const correlations = new Map(ruleSet.correlations.map((correlation) => [correlation.id, correlation]))
  const rule = correlations.get(id) ?? ruleSet.get(id)
  if (rule === undefined) return undefined
  const ids = new Set([id])
  // Iterating a set includes the elements added meanwhile.
  for (const named of ids) for (const { ruleId } of correlations.get(named)?.members ?? []) ids.add(ruleId)
  const rules = [...ids].flatMap((named) => (correlations.has(named) ? [] : ruleSet.get(named) ?? []))
  const named = [...ids].flatMap((one) => correlations.get(one) ?? [])
  return { rule, ruleSet: new RuleSet(rules, { correlations: named }) }
}

function explainMissingRule({ ruleId }: RuleTestSuite, reports: Compilation['reports']): string {
  const report = reports.find(({ id }) => id === ruleId)
  if (report === undefined) return 'the rule is missing; pass its file too'
  const problem = report.diagnostics.find(({ kind }) => kind !== 'lint')
  return `the rule does not run; its verdict is ${report.verdict.replace('_', ' ')}${problem === undefined ? '' : `: ${problem.message}`}`
}

/** Runs each test in a new engine. */
class TestRunner {
  readonly rule: CompiledRule | CompiledCorrelation
  readonly options: EventOptions
  readonly #ruleSet: RuleSet

  constructor({ rule, ruleSet }: TestedRule, options: EventOptions) {
    this.rule = rule
    this.#ruleSet = ruleSet
    this.options = options
  }

  /** Finds the matches of the rule. */
  find(events: readonly TestEvent[]): ActualMatch[] {
    const engine = new Engine(this.#ruleSet, this.options)
    const found: ActualMatch[] = []
    const keep = (matches: readonly Match[], at: number): void => {
      for (const match of matches) if (match.rule.id === this.rule.id) found.push(toActualMatch(match, at))
    }
    for (const { at, event } of this.#inOrder(events)) keep(engine.push([event], { receivedAt: at }), at)
    keep(engine.finish(), Infinity)
    return found.sort((a, b) => a.at - b.at)
  }

  /** Counts the events that reach the rule only because a test tries rules on events of unknown logsource. */
  countUnrouted(events: readonly TestEvent[]): number {
    const { taxonomy = 'auto' } = this.options
    return events.filter(({ event }) => normalizeEvent(event, taxonomy).logsources.length === 0).length
  }

  /** Sorts the events by their own time, or by the time of the test. */
  #inOrder(events: readonly TestEvent[]): TestEvent[] {
    const { taxonomy = 'auto' } = this.options
    const timed = events.map(({ at, event }) => ({ at: findEventTime(normalizeEvent(event, taxonomy)) ?? at, event }))
    return timed.sort((a, b) => a.at - b.at)
  }

  /** Explains how close the correlation came to a match; events without a time get the time of the test. */
  explain(events: readonly TestEvent[]): CorrelationExplanation {
    const { taxonomy = 'auto' } = this.options
    const dated = events.map(({ at, event }) => {
      const isDated = findEventTime(normalizeEvent(event, taxonomy)) !== undefined
      return isDated ? event : { ...event, '@timestamp': new Date(at).toISOString() }
    })
    return explainCorrelation(this.#ruleSet, this.rule.id, dated, this.options)
  }
}

function toActualMatch(match: Match, at: number): ActualMatch {
  if (match.kind === 'detection') return { at, group: new Map(), eventCount: 1 }
  return { at: match.decidedAt, group: match.group, eventCount: match.eventCount }
}

function runTest(suite: RuleTestSuite, test: RuleTest, bench: TestRunner): RuleTestReport {
  const found = bench.find(test.events)
  const difference = describeMismatch(test.expected, found, test.startAt)
  const unroutedCount = bench.countUnrouted(test.events)
  const passed = { suite, test, failure: undefined, found, unroutedCount, ...noExplanation }
  if (difference === undefined) return passed
  const { rule, options } = bench
  if ('members' in rule) {
    const correlation = bench.explain(test.events)
    return { ...passed, failure: `${difference}; ${printNearest(test.events.length, correlation)}`, correlation }
  }
  const [first] = test.events
  if (first === undefined || test.events.length > 1) return { ...passed, failure: difference }
  const explanation = explain(rule, first.event, options)
  const note = explanation.logsourceMatched ? '' : '; the event has another logsource than the rule'
  return { ...passed, failure: `${difference}${note}`, explanation }
}

/** Groups that a message lists. */
const printedGroupsMax = 3

/** Prints how many events the member rules matched, and how close the unmatched groups came. */
function printNearest(eventCount: number, { stages }: CorrelationExplanation): string {
  const correlated = new Set(stages.map(({ rule }) => rule.id))
  const fed = stages.flatMap(({ members }) => members.filter(({ ruleId }) => !correlated.has(ruleId)))
  const counts = fed.map(({ name, rows }) => `'${name}' ${rows.length}`)
  const unmatched = stages.flatMap(({ rule, groups }) => groups.filter(({ holds }) => !holds).map(({ group, asked, unseen }) => {
    const by = Array.from(group, ([field, value]) => ` ${field}=${value}`).join('')
    return `'${rule.title}'${by} reached ${unseen.length === 0 ? asked : `${asked} without '${unseen.join("', '")}'`}`
  }))
  const more = unmatched.length <= printedGroupsMax ? '' : ` and ${unmatched.length - printedGroupsMax} more groups`
  const nearest = unmatched.length === 0 ? '' : `; ${unmatched.slice(0, printedGroupsMax).join(', ')}${more}`
  return `matches in ${eventCount} ${eventCount === 1 ? 'event' : 'events'}: ${[...new Set(counts)].join(', ')}${nearest}`
}
