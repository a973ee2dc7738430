import { describe, expect } from 'vitest'
import { compileRules, diagnosticCodes } from '../src/index.ts'
import type { RuleReport } from '../src/index.ts'
import { testWithShared } from './read-shared-data.ts'
import { activeFolders, sigmaRules, sigmaRulesFile } from './sigma-rules.ts'

const activeCount = 3_757

describe('the rules of SigmaHQ', () => {
  testWithShared([sigmaRulesFile], `active: ${activeCount} compile, except 2 that need placeholders`, () => {
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

  testWithShared([sigmaRulesFile], `active: all ${activeCount} compile with placeholders`, () => {
    const sources = sigmaRules(activeFolders)
    const placeholders = fillPlaceholders(compileRules(sources).reports)
    const { ruleSet, reports } = compileRules(sources, { placeholders })
    expect(reports.filter(({ verdict }) => verdict !== 'compiled')).toEqual([])
    expect(new Set(ruleSet.rules.map(({ id }) => id))).toHaveProperty('size', activeCount)
  })

  testWithShared([sigmaRulesFile], 'with placeholders: all 23 compile once they are configured', () => {
    const sources = sigmaRules(['rules-placeholder'])
    const { reports } = compileRules(sources)
    expect(countVerdicts(reports)).toEqual({ needs_configuration: 23 })
    const placeholders = fillPlaceholders(reports)
    expect(countVerdicts(compileRules(sources, { placeholders }).reports)).toEqual({ compiled: 23 })
  })

  testWithShared([sigmaRulesFile], 'deprecated: 169 of 172 compile, one as a correlation, and 3 need placeholders', () => {
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
    // `near` needs several rules, and an aggregation without a timeframe has no equivalent.
    const unsupported = reports.flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => code === 'UNSUPPORTED_AGGREGATION'))
    expect(unsupported.filter(({ hint = '' }) => hint.includes('temporal correlation rule'))).toHaveLength(8)
    expect(unsupported.filter(({ hint = '' }) => hint.includes('timespan: <how long>'))).toHaveLength(8)
    expect(unsupported).toHaveLength(16)
  })

  testWithShared([sigmaRulesFile], 'all: each rule that does not run has a diagnostic with a position', () => {
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

/** Lists the codes that prevent rules from running. */
function listCodes(reports: readonly RuleReport[]): Set<string> {
  return new Set(reports.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ kind }) => kind !== 'lint').map(({ kind, code }) => `${kind} ${code}`)))
}

/** Creates values for every missing placeholder. */
function fillPlaceholders(reports: readonly RuleReport[]): { [name: string]: string[] } {
  const missing = reports.flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => code === 'UNRESOLVED_PLACEHOLDER'))
  const names = missing.map(({ message }) => /%([^%]+)%/.exec(message)?.[1] ?? '')
  return Object.fromEntries(names.map((name) => [name, ['one', 'two*', '3']]))
}
