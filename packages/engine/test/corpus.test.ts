import { describe, expect } from 'vitest'
import { compileRules, diagnosticCodes } from '../src/index.ts'
import type { RuleReport } from '../src/index.ts'
import { testWithShared } from './shared-data.ts'
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
    expect(diagnosed(others)).toEqual(new Set(['unconfigured UNRESOLVED_PLACEHOLDER']))
  })

  testWithShared([sigmaRulesFile], `in use: all ${activeCount} compile once every set is given`, () => {
    const sources = sigmaRules(activeFolders)
    const placeholders = anyValuesFor(compileRules(sources).reports)
    const { ruleSet, reports } = compileRules(sources, { placeholders })
    expect(reports.filter(({ verdict }) => verdict !== 'compiled')).toEqual([])
    expect(new Set(ruleSet.rules.map(({ id }) => id))).toHaveProperty('size', activeCount)
  })

  testWithShared([sigmaRulesFile], 'with placeholders: all 23 need sets, and compile with them', () => {
    const sources = sigmaRules(['rules-placeholder'])
    const { reports } = compileRules(sources)
    expect(countsOf(reports)).toEqual({ needs_configuration: 23 })
    const placeholders = anyValuesFor(reports)
    expect(countsOf(compileRules(sources, { placeholders }).reports)).toEqual({ compiled: 23 })
  })

  testWithShared([sigmaRulesFile], 'deprecated: 168 of 172 compile, 3 need sets, one counts', () => {
    expect(countsOf(compileRules(sigmaRules(['deprecated'])).reports)).toEqual({
      compiled: 168, needs_configuration: 3, unsupported: 1,
    })
  })

  testWithShared([sigmaRulesFile], 'unsupported: none throws, and those that count events do not run', () => {
    const sources = sigmaRules(['unsupported'])
    const { reports } = compileRules(sources)
    expect(reports).toHaveLength(89)
    const countingPaths = new Set(sources.filter(({ text }) => /condition:.*\|\s*count/.test(text)).map(({ path }) => path))
    expect(countingPaths.size).toBeGreaterThan(40)
    const counting = reports.filter(({ path }) => countingPaths.has(path))
    expect(counting.filter(({ verdict }) => verdict === 'compiled')).toEqual([])
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

function countsOf(reports: readonly RuleReport[]): Partial<Record<RuleReport['verdict'], number>> {
  const counts: Partial<Record<RuleReport['verdict'], number>> = {}
  for (const { verdict } of reports) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

/** What keeps rules from running, each once. */
function diagnosed(reports: readonly RuleReport[]): Set<string> {
  return new Set(reports.flatMap(({ diagnostics }) =>
    diagnostics.filter(({ kind }) => kind !== 'lint').map(({ kind, code }) => `${kind} ${code}`)))
}

/** Some values for every set that a report misses. */
function anyValuesFor(reports: readonly RuleReport[]): { [name: string]: string[] } {
  const missing = reports.flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => code === 'UNRESOLVED_PLACEHOLDER'))
  const names = missing.map(({ message }) => /%([^%]+)%/.exec(message)?.[1] ?? '')
  return Object.fromEntries(names.map((name) => [name, ['one', 'two*', '3']]))
}
