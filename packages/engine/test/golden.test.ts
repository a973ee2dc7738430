import { describe, expect, test } from 'vitest'
import { Engine, compileRules, explain } from '../src/index.ts'
import type { Compilation, CompileOptions, EventObject, EventOptions, RuleReport } from '../src/index.ts'
import { fixtureNames, readFixture, readFixtureEvents, readFixtureJson } from './read-fixtures.ts'
import { detectionMatches } from './detection-matches.ts'

/** `matches.json`: an expected match; those of an event are in the order of the rules. */
type GoldenMatch = { readonly row: number; readonly rule_id: string; readonly matched_conditions: readonly string[] }

/** `reports.json`: the expected report of a document of `rule.yml`. */
type GoldenReport = { readonly verdict: string; readonly codes: readonly string[] }

/** `options.json`: options that differ from the default of the cases. */
type GoldenOptions = CompileOptions & EventOptions

const files = ['events.ndjson', 'matches.json', 'options.json', 'reports.json', 'rule.yml']
const cases = fixtureNames('golden', '')

describe('golden cases', () => {
  test('are many, and each has a match or a diagnostic', () => {
    expect(cases.length).toBeGreaterThanOrEqual(45)
    for (const name of cases) {
      const present = fixtureNames(`golden/${name}`, '')
      expect(files, name).toEqual(expect.arrayContaining(present))
      expect(present.includes('events.ndjson'), `${name}: events come with matches`).toBe(present.includes('matches.json'))
      expect(present.some((file) => file === 'matches.json' || file === 'reports.json'), name).toBe(true)
    }
  })

  test.for(cases)('%s', (name) => {
    const { taxonomy = 'auto', lenient = true, ...compileOptions } = readFixtureJson<GoldenOptions>(`golden/${name}/options.json`, {})
    const compilation = compileRules([{ text: readFixture(`golden/${name}/rule.yml`) }], compileOptions)
    const { reports } = compilation
    const saidOfRules = reports.map(summarizeReport)
    // A rule without an expected report compiles without diagnostics.
    const silence = reports.map(() => ({ verdict: 'compiled', codes: [] }))
    expect(saidOfRules).toEqual(readFixtureJson<GoldenReport[]>(`golden/${name}/reports.json`, silence))

    const events = readFixtureEvents(`golden/${name}/events.ndjson`)
    const expected = readFixtureJson<GoldenMatch[]>(`golden/${name}/matches.json`, [])
    expect(printLines(events, findMatches(compilation, events, { taxonomy, lenient }))).toEqual(printLines(events, expected))
    expect(printLines(events, findExplainedMatches(compilation, events, { taxonomy, lenient }))).toEqual(printLines(events, expected))
  })
})

function summarizeReport({ verdict, diagnostics }: RuleReport): GoldenReport {
  return { verdict, codes: diagnostics.map(({ code }) => code) }
}

function findMatches({ ruleSet }: Compilation, events: readonly EventObject[], options: EventOptions): GoldenMatch[] {
  return detectionMatches(new Engine(ruleSet, options).push(events)).map(({ row, rule, conditions }) =>
    ({ row, rule_id: rule.id, matched_conditions: conditions }))
}

/** Finds the matches through the explanation of every rule on every event. */
function findExplainedMatches({ ruleSet }: Compilation, events: readonly EventObject[], options: EventOptions): GoldenMatch[] {
  return events.flatMap((event, row) => ruleSet.rules.flatMap((rule) => {
    const { matched, matchedConditions } = explain(rule, event, options)
    return matched ? [{ row, rule_id: rule.id, matched_conditions: matchedConditions }] : []
  }))
}

/** Prints one line per event with its note, so that differences are readable. */
function printLines(events: readonly EventObject[], matches: readonly GoldenMatch[]): string[] {
  return events.map((event, row) => {
    const own = matches.filter((match) => match.row === row)
    const outcome = own.map(({ rule_id, matched_conditions }) => `${rule_id} ${JSON.stringify(matched_conditions)}`)
    return `${row} ${String(event['_note'])}: ${outcome.join(', ') || 'no match'}`
  })
}
