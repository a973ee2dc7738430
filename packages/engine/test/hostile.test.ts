import { describe, expect, test } from 'vitest'
import { Engine, compileRules, explain, formatDiagnostics, limits } from '../src/index.ts'
import type { CompiledRule, EventObject, RuleSet } from '../src/index.ts'
import { printMatches, createWritingEngine } from './compare-push-paths.ts'
import { hostileEvents, rulesForHostileEvents } from './hostile/hostile-events.ts'
import { hostilePlaceholders } from './hostile/hostile-items.ts'
import { hostileRules } from './hostile/hostile-rules.ts'
import { expectProcessorTime, getThreadCpuMs } from './processor-time.ts'

/*
 * Hostile rules and events are rejected or handled within a second each and leave nothing behind. The generous bound
 * separates linear from superlinear work, in processor time so that other processes do not matter.
 */

const durationMax = 1_000

/** Ordinary events to run hostile rules on. */
const ordinaryEvents: readonly EventObject[] = [
  {}, { a: 'x' }, { a: 'a'.repeat(3_000) }, { a: ` -a /a ${'–a'.repeat(500)}`, b: ['x', 1, null] },
  { a: '10.0.0.1', ['__proto__']: 'x' },
]

describe('hostile rules', () => {
  test('are many', () => {
    expect(hostileRules.length).toBeGreaterThanOrEqual(60)
  })

  test.for(hostileRules)('%s', ([, text, verdicts]) => {
    const source = { path: 'hostile.yml', text: text() }
    const { ruleSet, reports } = withinDuration('compiling', () =>
      compileRules([source], { placeholders: hostilePlaceholders }))
    const given = reports.length === 0 ? ['no report'] : reports.map(({ verdict }) => verdict)
    for (const verdict of new Set(given)) expect(verdicts).toContain(verdict)
    for (const report of reports) {
      expect(report.diagnostics.length).toBeLessThanOrEqual(limits.diagnosticsMax + 1)
      expect(Math.max(0, ...report.diagnostics.map(({ message }) => message.length))).toBeLessThan(2_000)
      if (report.verdict !== 'compiled') expect(report.diagnostics.some(({ kind }) => kind !== 'lint')).toBe(true)
    }
    withinDuration('printing diagnostics', () =>
      reports.slice(0, 10).map((report) => formatDiagnostics(source.text, report)))
    for (const event of ordinaryEvents) expectVerdictsToAgree(ruleSet, event, ruleSet.rules.slice(0, 100))
    expectNothingLeftBehind()
  })
})

describe('hostile events', () => {
  const { ruleSet, reports } = compileRules(rulesForHostileEvents)
  const events = hostileEvents(20_261_120)
  const engine = createWritingEngine(ruleSet)

  test('are many, and their rules are valid', () => {
    expect(reports.filter(({ verdict }) => verdict !== 'compiled')).toEqual([])
    expect(events.length).toBeGreaterThanOrEqual(500)
  })

  // Explaining costs more than matching, so every fifth rule explains each event, in turn.
  test.for(events.map(([attempt, make], turn) => [attempt, make, turn] as const))('%s', ([, make, turn]) => {
    const event = make()
    expectVerdictsToAgree(ruleSet, event, ruleSet.rules.filter((_, at) => (at + turn) % 5 === 0))
    const matches = withinDuration('writing and matching', () => engine.push([event]))
    expect(printMatches(matches)).toEqual(printMatches(new Engine(ruleSet).push([event])))
    expectNothingLeftBehind()
  })
})

/** Pushes an event and explains it, each call within the bound. */
function expectVerdictsToAgree(ruleSet: RuleSet, event: EventObject, explained: readonly CompiledRule[]): void {
  withinDuration('matching', () => new Engine(ruleSet, { taxonomy: 'none', lenient: true }).push([event]))
  const matches = withinDuration('matching', () => new Engine(ruleSet, { lenient: true }).push([event]))
  const matchedIds = new Set(matches.map(({ rule }) => rule.id))
  for (const rule of explained) {
    const explanation = withinDuration('explaining', () => explain(rule, event, { lenient: true }))
    expect(explanation.matched, rule.title).toBe(matchedIds.has(rule.id))
  }
  withinDuration('listing conditions', () => matches.slice(0, 100).map(({ conditions }) => conditions.length))
}

function withinDuration<Result>(activity: string, work: () => Result): Result {
  const startedMs = getThreadCpuMs()
  const result = work()
  expectProcessorTime(getThreadCpuMs() - startedMs, durationMax, `${activity} took too long`)
  return result
}

/** Checks that no rule or event changed the built-in prototypes. */
function expectNothingLeftBehind(): void {
  expect('polluted' in {}).toBe(false)
  expect(Object.keys(Object.prototype)).toEqual([])
}
