import { describe, expect } from 'vitest'
import { compileRules, diagnosticCodes } from '../src/index.ts'
import type { RuleReport } from '../src/index.ts'
import { testWithShared } from './read-shared-data.ts'
import { activeFolders, sigmaRules, sigmaRulesFile } from './sigma-rules.ts'

const activeCount = 3_757

describe('the rules of SigmaHQ', () => {
  testWithShared([sigmaRulesFile], `in use: ${activeCount} compile, but for 2 that need a set`, () => {
    const { ruleSet, reports } = compileRules(sigmaRules(activeFolders))
    const others = reports.filter(({ verdict }) => verdict !== 'compiled')
    expect(others.map(({ path, verdict }) => [path.split('/')[0], verdict])).toEqual([
      ['rules-emerging-threats', 'needs_configuration'],
      ['rules-emerging-threats', 'needs_configuration'],
    ])
    expect(reports).toHaveLength(activeCount)
    expect(ruleSet.rules).toHaveLength(activeCount - others.length)
    expect(listCodes(others)).toEqual(new Set(['unconfigured UNRESOLVED_PLACEHOLDER']))
  })

  testWithShared([sigmaRulesFile], `in use: all ${activeCount} compile once every set is given`, () => {
    const sources = sigmaRules(activeFolders)
    const placeholders = fillPlaceholders(compileRules(sources).reports)
    const { ruleSet, reports } = compileRules(sources, { placeholders })
    expect(reports.filter(({ verdict }) => verdict !== 'compiled')).toEqual([])
    expect(new Set(ruleSet.rules.map(({ id }) => id))).toHaveProperty('size', activeCount)
  })

  testWithShared([sigmaRulesFile], 'with placeholders: all 23 need sets, and compile with them', () => {
    const sources = sigmaRules(['rules-placeholder'])
    const { reports } = compileRules(sources)
    expect(countVerdicts(reports)).toEqual({ needs_configuration: 23 })
    const placeholders = fillPlaceholders(reports)
    expect(countVerdicts(compileRules(sources, { placeholders }).reports)).toEqual({ compiled: 23 })
  })

  testWithShared([sigmaRulesFile], 'deprecated: 169 of 172 compile, one of them as a correlation, 3 need sets', () => {
    const { ruleSet, reports } = compileRules(sigmaRules(['deprecated']))
    expect(countVerdicts(reports)).toEqual({ compiled: 169, needs_configuration: 3 })
    expect(ruleSet.correlations).toHaveLength(1)
  })

  testWithShared([sigmaRulesFile], 'unsupported: of 54 with an aggregation 38 run as correlations', () => {
    const { ruleSet, reports } = compileRules(sigmaRules(['unsupported']))
    expect(reports).toHaveLength(89)
    const translated = reports.filter(({ diagnostics }) => diagnostics.some(({ code }) => code === 'TRANSLATED_AGGREGATION'))
    expect(countVerdicts(translated)).toEqual({ compiled: 38 })
    expect(new Set(ruleSet.correlations.map(({ id }) => id))).toEqual(new Set(translated.map(({ id }) => id)))
    // What is near something else has several rules for an equal, and what names no time has none.
    const refused = reports.flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => code === 'UNSUPPORTED_AGGREGATION'))
    expect(refused.filter(({ hint = '' }) => hint.includes('of type temporal'))).toHaveLength(8)
    expect(refused.filter(({ hint = '' }) => hint.includes('timespan: <how long>'))).toHaveLength(8)
    expect(refused).toHaveLength(16)
  })

  testWithShared([sigmaRulesFile], 'of any kind: whatever does not run says why, and where', () => {
    const sources = sigmaRules([...activeFolders, 'rules-placeholder', 'deprecated', 'unsupported'])
    const lengths = new Map(sources.map(({ path, text }) => [path, text.split('\n').length]))
    for (const { path, id, verdict, diagnostics } of compileRules(sources).reports) {
      expect(id, path).toMatch(/^[0-9a-f-]{36}$/)
      expect(diagnostics.some(({ kind }) => kind !== 'lint'), path).toBe(verdict !== 'compiled')
      for (const { code, message, line } of diagnostics) {
        expect(diagnosticCodes, path).toHaveProperty(code)
        expect(message, path).not.toBe('')
        expect(line, path).toBeLessThanOrEqual(lengths.get(path) ?? 0)
      }
    }
  })
})

function countVerdicts(reports: readonly RuleReport[]): Partial<Record<RuleReport['verdict'], number>> {
  const counts: Partial<Record<RuleReport['verdict'], number>> = {}
  for (const { verdict } of reports) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

/** What keeps rules from running, each once. */
function listCodes(reports: readonly RuleReport[]): Set<string> {
  return new Set(reports.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ kind }) => kind !== 'lint').map(({ kind, code }) => `${kind} ${code}`)))
}

/** Some values for every set that a report misses. */
function fillPlaceholders(reports: readonly RuleReport[]): { [name: string]: string[] } {
  const missing = reports.flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => code === 'UNRESOLVED_PLACEHOLDER'))
  const names = missing.map(({ message }) => /%([^%]+)%/.exec(message)?.[1] ?? '')
  return Object.fromEntries(names.map((name) => [name, ['one', 'two*', '3']]))
}
