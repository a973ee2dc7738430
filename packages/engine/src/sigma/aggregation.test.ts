import { describe, expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'
import type { Compilation } from '../compile-rules.ts'

const id = '6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0011'

function ruleWith(condition: string, timeframe = '    timeframe: 5m\n', more = ''): string {
  return `title: Many\nid: ${id}\nlevel: high\nlogsource: { product: linux }\ndetection:\n    selection: { action: failed }\n${timeframe}`
    + `    condition: ${condition}\n${more}`
}

const compiled = (text: string): Compilation => compileRules([{ path: 'rule.yml', text }])

/** The problems of a rule, and what to do about each. */
function hintsOf(text: string): string[] {
  return compiled(text).reports.flatMap(({ diagnostics }) => diagnostics.map(({ code, hint = '' }) => `${code} ${hint}`))
}

describe('an aggregation runs as a correlation', () => {
  test.for<[condition: string, equivalent: string]>([
    ['selection | count() > 10', '{ type: event_count, timespan: 5m, condition: { gt: 10 } }'],
    ['selection | count() by host > 10', '{ type: event_count, group-by: [host], timespan: 5m, condition: { gt: 10 } }'],
    ['selection|count()by host>=10', '{ type: event_count, group-by: [host], timespan: 5m, condition: { gte: 10 } }'],
    ['selection | count( ) by winlog.host, user < 3', '{ type: event_count, group-by: [winlog.host, user], timespan: 5m, condition: { lt: 3 } }'],
    ['selection | COUNT() BY host <= 3', '{ type: event_count, group-by: [host], timespan: 5m, condition: { lte: 3 } }'],
    ['selection | count() = 3', '{ type: event_count, timespan: 5m, condition: { eq: 3 } }'],
    ['selection | count(user) by host > 3', '{ type: value_count, group-by: [host], timespan: 5m, condition: { gt: 3, field: user } }'],
    ['selection | count(cs-user) == 3', '{ type: value_count, timespan: 5m, condition: { eq: 3, field: cs-user } }'],
    ['selection | sum(bytes) by src_ip > 0.5', '{ type: value_sum, group-by: [src_ip], timespan: 5m, condition: { gt: 0.5, field: bytes } }'],
    ['selection | avg(bytes) > 300000', '{ type: value_avg, timespan: 5m, condition: { gt: 300000, field: bytes } }'],
  ])('%s', ([condition, equivalent]) => {
    const { ruleSet, reports } = compiled(ruleWith(`'${condition}'`))
    expect(reports).toMatchObject([{ id, kind: 'correlation', verdict: 'compiled', logsource: { product: 'linux' } }])
    expect(hintsOf(ruleWith(`'${condition}'`))).toEqual([`TRANSLATED_AGGREGATION write a correlation rule: ${equivalent}`])
    // The hint shows what runs: a correlation rule with its text is equivalent.
    const [translated] = ruleSet.correlations
    const written = `title: Many\nid: ${id}\nlevel: high\ncorrelation: ${equivalent.replace('{ type', `{ rules: [base], type`)}\n`
    const base = 'title: Base\nname: base\nlogsource: { product: linux }\ndetection: { selection: { action: failed }, condition: selection }\n'
    const [other] = compiled(`${base}---\n${written}`).ruleSet.correlations
    expect({ ...translated?.rule.correlation, references: [] }).toEqual({ ...other?.rule.correlation, references: [] })
  })

  test('has the id, title and level of the rule, and refers to a base rule with its detection', () => {
    const { ruleSet } = compiled(ruleWith('selection | count() > 10'))
    const [base] = ruleSet.rules
    expect(ruleSet.correlations).toMatchObject([{ id, title: 'Many', level: 'high', members: [{ ruleId: base?.id, name: `${id} events` }] }])
    expect(base).toMatchObject({ title: 'Many (events)', level: undefined, logsource: { product: 'linux' } })
    expect(base?.id).not.toBe(id)
    expect(base?.id).toBe(compiled(ruleWith('selection | count() > 9')).ruleSet.rules[0]?.id)
  })

  test('has no use for a note in the attribute correlation', () => {
    const noted = compiled(ruleWith('selection | count() > 10', undefined, 'correlation: see also the logon\n'))
    expect(noted.reports).toMatchObject([{ verdict: 'compiled', kind: 'correlation' }])
    expect(noted.ruleSet.correlations).toHaveLength(1)
  })

  // Programs run no rules that are unsupported; one half of a rule without the other would match every event.
  test('has the status of the rule in both halves', () => {
    const { ruleSet } = compiled(ruleWith('selection | count() > 10', undefined, 'status: unsupported\n'))
    expect([...ruleSet.rules, ...ruleSet.correlations].map(({ rule }) => rule.status)).toEqual(['unsupported', 'unsupported'])
  })

  test('applies filters that name the rule', () => {
    const filter = `title: Robots\nlogsource: { product: linux }\nfilter: { rules: [${id}], robot: { user: robot }, condition: not robot }\n`
    const { ruleSet, reports } = compiled(`${ruleWith('selection | count() by host > 2')}---\n${filter}`)
    expect(reports[1]?.diagnostics).toEqual([])
    expect(ruleSet.rules[0]?.predicate).toMatchObject({ kind: 'and', of: [{}, { kind: 'group', name: 'filter: Robots' }] })
  })

  test('can be a member of another correlation', () => {
    const outer = `title: Outer\ncorrelation: { type: event_count, rules: [${id}], timespan: 1h, condition: { gte: 2 } }\n`
    expect(compiled(`${ruleWith('selection | count() by host > 2')}---\n${outer}`).ruleSet.correlations).toMatchObject([
      { id }, { title: 'Outer', members: [{ ruleId: id }] },
    ])
  })

  test('does not run when its selections do not compile', () => {
    const { ruleSet, reports } = compiled(ruleWith('selektion | count() > 2'))
    expect(reports).toMatchObject([{ verdict: 'invalid' }])
    expect(reports[0]?.diagnostics.find(({ code }) => code === 'UNKNOWN_SELECTION')).toMatchObject({ line: 8, column: 16 })
    expect([ruleSet.rules, ruleSet.correlations]).toEqual([[], []])
  })

  test('runs once when it is there twice', () => {
    const text = ruleWith('selection | count() > 2')
    const { ruleSet, reports } = compiled(`${text}---\n${text}`)
    expect(reports.map(({ verdict }) => verdict)).toEqual(['compiled', 'compiled'])
    expect([ruleSet.rules.length, ruleSet.correlations.length]).toEqual([1, 1])
  })
})

describe('an aggregation without an equivalent is reported with a hint', () => {
  test.for<[condition: string, hint: string]>([
    ['selection | near other', "write a rule for each side of 'near' and a temporal correlation rule over them"],
    ['selection | max(bytes) by host > 5', "a single event decides it: write 'bytes|gt: 5' in a selection"],
    ['selection | min(bytes) <= 5', "a single event decides it: write 'bytes|lte: 5' in a selection"],
    ['selection | min(bytes) > 5', "no correlation type computes 'min'; consider value_percentile, value_sum or value_avg"],
    ['selection | sum() > 5', "no correlation type computes 'sum'; consider value_percentile, value_sum or value_avg"],
    ['selection | count() by > 5', 'write a correlation rule over this one'],
    ['selection | count() by a b > 5', 'write a correlation rule over this one'],
    ['selection | count() by a, > 5', 'write a correlation rule over this one'],
    ['selection | count() > many', 'write a correlation rule over this one'],
    ['selection | count() != 5', 'write a correlation rule over this one'],
    ['selection | count(a, b) > 5', 'write a correlation rule over this one'],
    ['selection | count', 'write a correlation rule over this one'],
    ['selection | count() > 5 | count() > 5', 'write a correlation rule over this one'],
    ['selection |', 'write a correlation rule over this one'],
  ])('%s', ([condition, hint]) => {
    const { ruleSet, reports } = compiled(ruleWith(`'${condition}'`))
    expect(reports).toMatchObject([{ kind: 'detection', verdict: 'unsupported' }])
    expect(hintsOf(ruleWith(`'${condition}'`))).toContain(`UNSUPPORTED_AGGREGATION ${hint}`)
    expect([ruleSet.rules, ruleSet.correlations]).toEqual([[], []])
  })

  test.for<[title: string, timeframe: string, hint: string]>([
    ['without a timeframe', '', '{ type: event_count, group-by: [host], timespan: <how long>, condition: { gt: 5 } }'],
    ['with a timeframe that is none', '    timeframe: soon\n', '{ type: event_count, group-by: [host], timespan: soon, condition: { gt: 5 } }'],
    ['in a list of conditions', '    timeframe: 5m\n', '{ type: event_count, group-by: [host], timespan: 5m, condition: { gt: 5 } }'],
  ])('%s', ([title, timeframe, hint]) => {
    const condition = 'selection | count() by host > 5'
    const text = ruleWith(title.includes('list') ? `['${condition}']` : condition, timeframe)
    expect(hintsOf(text)).toContain(`UNSUPPORTED_AGGREGATION write a correlation rule over this one: ${hint}`)
  })

  test('however long it is', () => {
    const { reports } = compiled(ruleWith(`'selection | count(${' '.repeat(60_000)}'`))
    expect(reports).toMatchObject([{ verdict: 'unsupported' }])
  })
})
