import { describe, expect, test } from 'vitest'
import { array, assert, boolean, constantFrom, nat, property, record } from 'fast-check'
import { tacticsOfTechniques } from './attack-matrix.ts'
import { findCurrentTechnique, listTechniqueIds } from './replaced-techniques.ts'
import { findTechniqueName } from './technique-names.ts'
import { computeCoverage } from './compute-coverage.ts'
import type { CoverageRule, CoverageState } from './compute-coverage.ts'
import { toNavigatorLayer } from './navigator-layer.ts'

const good: CoverageRule = { tags: ['attack.execution', 'attack.t1059.001'], isEnabled: true, hasData: true, isHealthy: true, matchCount: 0 }

function stateOf(rules: readonly CoverageRule[], technique = 'T1059.001'): CoverageState | undefined {
  return computeCoverage(rules).techniques.find((row) => row.technique === technique)?.state
}

describe('the best rule decides', () => {
  test.for<[title: string, rules: Partial<CoverageRule>[], state: CoverageState]>([
    ['no rule', [], 'no_rule'],
    ['a rule of another technique', [{ tags: ['attack.t1003'] }], 'no_rule'],
    ['a disabled rule', [{ isEnabled: false }], 'disabled'],
    ['a rule without data', [{ hasData: false }], 'no_data'],
    ['a rule that misses a field', [{ isHealthy: false }], 'unhealthy'],
    ['a working rule', [{}], 'covered'],
    ['a rule that matched', [{ matchCount: 3 }], 'matched'],
    ['a rule that matched before its counters began', [{ matchCount: 3, hasData: false }], 'matched'],
    ['a disabled rule that matched', [{ matchCount: 3, isEnabled: false }], 'disabled'],
    ['one working rule among others', [{ isEnabled: false }, { hasData: false }, {}, { isHealthy: false }], 'covered'],
    ['an unhealthy rule and one without data', [{ isHealthy: false }, { hasData: false }], 'unhealthy'],
  ])('%s', ([, rules, state]) => {
    expect(stateOf(rules.map((rule) => ({ ...good, ...rule })))).toBe(state)
  })
})

test.for<[tags: string[], technique: string, state: CoverageState]>([
  [['attack.t1059.001'], 'T1059', 'covered'],
  [['attack.T1059.001'], 'T1059.001', 'covered'],
  [['attack.t1059'], 'T1059.001', 'no_rule'],
  [['attack.t1059.001', 'attack.t1059'], 'T1059', 'covered'],
  [['t1059'], 'T1059', 'no_rule'],
])('the tags %j for %s: %s', ([tags, technique, state]) => {
  expect(stateOf([{ ...good, tags }], technique)).toBe(state)
})

test('a rule counts once for a technique and each tactic, by whatever word', () => {
  const tags = ['attack.execution', 'attack.TA0002', 'attack.credential_access', 'attack.t1059.001', 'attack.t1059.003', 'attack.g0007']
  const { techniques, tactics, totals } = computeCoverage([{ ...good, tags }, { ...good, tags: ['attack.impact'], isEnabled: false }])
  expect(techniques.find(({ technique }) => technique === 'T1059')).toMatchObject({ rules: 1, effective: 1, tactics: ['execution'] })
  expect(tactics.filter(({ rules }) => rules > 0).map(({ tactic, rules, effective }) => [tactic, rules, effective])).toEqual([
    ['execution', 1, 1], ['credential-access', 1, 1], ['impact', 1, 0],
  ])
  expect(tactics.find(({ tactic }) => tactic === 'execution')).toMatchObject({ coveredTechniques: 3 })
  expect(totals).toEqual({ rules: 2, enabled: 1, withData: 1, effective: 1, matches: 0, untagged: 1 })
})

test.for<[tags: string[], techniques: string[], tactics: string[]]>([
  [['attack.t1562.001', 'attack.defense-evasion'], ['T1685'], ['defense-impairment']],
  [['attack.t1070.001', 'attack.defense_evasion'], ['T1685', 'T1685.005'], ['defense-impairment']],
  [['attack.t1086', 'attack.execution'], ['T1059', 'T1059.001'], ['execution']],
  [['attack.t1055', 'attack.defense-evasion', 'attack.privilege-escalation'], ['T1055'], ['privilege-escalation', 'stealth']],
  [['attack.t1027', 'attack.t1685', 'attack.defense-evasion'], ['T1027', 'T1685'], ['stealth', 'defense-impairment']],
  [['attack.t1548', 'attack.defense-evasion'], ['T1548'], ['defense-evasion']],
  [['attack.defense-evasion'], [], ['defense-evasion']],
  [['attack.ta0005'], [], ['stealth']],
])('the tags %j of any version count for %j and %j of this one', ([tags, techniques, tactics]) => {
  const coverage = computeCoverage([{ ...good, tags }])
  expect(coverage.techniques.filter(({ rules }) => rules > 0).map(({ technique }) => technique)).toEqual(techniques)
  expect(coverage.tactics.filter(({ rules }) => rules > 0).map(({ tactic }) => tactic).sort()).toEqual(tactics.toSorted())
})

test('what replaced a technique is in the matrix, and what was replaced is not', () => {
  const former = [...tacticsOfTechniques.keys()].flatMap((id) => listTechniqueIds(id).slice(1))
  expect(former.length).toBeGreaterThan(80)
  expect(former.filter((id) => tacticsOfTechniques.has(id) || !tacticsOfTechniques.has(findCurrentTechnique(id)))).toEqual([])
  expect(listTechniqueIds('T1686')).toEqual(['T1686', 'T1562.004', 'T1562.007', 'T1562.013'])
  expect(['T1562.001', 'T1059', 'T9999'].map(findCurrentTechnique)).toEqual(['T1685', 'T1059', 'T9999'])
})

test('a technique that the matrix lacks has the tactics that its rules name', () => {
  const { techniques } = computeCoverage([{ ...good, tags: ['attack.t9999', 'attack.stealth'] }])
  expect(techniques.find(({ technique }) => technique === 'T9999')).toMatchObject({ tactics: ['stealth'], state: 'covered' })
})

test('the matrix has techniques of every tactic, and each sub-technique stands below a technique', () => {
  expect(new Set([...tacticsOfTechniques.values()].flat()).size).toBe(15)
  const ids = [...tacticsOfTechniques.keys()]
  expect(ids.filter((id) => !/^T\d{4}(?:\.\d{3})?$/.test(id) || !tacticsOfTechniques.has(id.slice(0, 5)))).toEqual([])
  expect(ids.length).toBe(697)
})

describe('layers', () => {
  const coverage = computeCoverage([
    { ...good, matchCount: 2 }, good, { ...good, tags: ['attack.t1003'], isEnabled: false }, { ...good, tags: ['attack.t1047'], isHealthy: false },
  ])
  const read = (kind: 'rules' | 'hits' | 'gaps') => new Map(toNavigatorLayer(coverage, kind).techniques.map((row) => [row.techniqueID, row]))

  test('rules and hits score what works', () => {
    expect([...read('rules')].map(([id, { score }]) => [id, score])).toEqual([['T1059', 2], ['T1059.001', 2]])
    expect([...read('hits')].map(([id, { score }]) => [id, score])).toEqual([['T1059', 2], ['T1059.001', 2]])
    expect(toNavigatorLayer(coverage, 'rules')).toMatchObject({ versions: { layer: '4.5' }, gradient: { minValue: 0, maxValue: 2 } })
  })

  test('gaps are all other techniques, with the reason', () => {
    const gaps = read('gaps')
    expect(gaps.size).toBe(tacticsOfTechniques.size - 2)
    expect(gaps.get('T1003')?.comment).toBe('all rules about it are disabled')
    expect(gaps.get('T1047')?.comment).toContain('cannot match')
    expect(gaps.get('T1190')).toMatchObject({ comment: 'no rule is about the technique', color: '#d9d9d9' })
  })
})

test('more of anything never worsens coverage, and counts nest', () => {
  const tag = constantFrom('attack.t1059', 'attack.t1059.001', 'attack.t1003', 'attack.execution', 'attack.impact', 'cve.2021-1')
  const anyRule = record({ tags: array(tag), isEnabled: boolean(), hasData: boolean(), isHealthy: boolean(), matchCount: nat(3) })
  const order: readonly CoverageState[] = ['no_rule', 'disabled', 'no_data', 'unhealthy', 'covered', 'matched']
  assert(property(array(anyRule), anyRule, (rules, more) => {
    const before = computeCoverage(rules)
    const after = computeCoverage([...rules, more])
    for (const [i, row] of before.techniques.entries()) {
      expect(order.indexOf(after.techniques[i]!.state)).toBeGreaterThanOrEqual(order.indexOf(row.state))
    }
    for (const row of [...after.techniques, ...after.tactics, after.totals]) {
      const { rules: all, enabled, withData, effective } = row
      expect([all, enabled, withData, effective]).toEqual([all, enabled, withData, effective].toSorted((a, b) => b - a))
    }
  }), { numRuns: 50 })
})

test('each technique of the matrix has a name, and no other id has one', () => {
  const names = [...tacticsOfTechniques.keys()].map((id) => findTechniqueName(id) ?? '')
  expect(names.filter((name) => !/^[\p{L}\d./][^;|]+$/u.test(name))).toEqual([])
  expect(['T1059', 'T1059.001', 'T9999', '.001', ''].map(findTechniqueName)).toEqual([
    'Command and Scripting Interpreter', 'PowerShell', undefined, undefined, undefined,
  ])
})
