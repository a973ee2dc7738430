import { testWithShared } from '@tripline/engine/test/read-shared-data'
import { activeFolders, sigmaRules, sigmaRulesFile } from '@tripline/engine/test/sigma-rules'
import { describe, expect } from 'vitest'
import { fixRules, lintRules } from '../src/index.ts'
import { areEquivalentRules } from '../src/lint/rule-equivalence.ts'

/** The maximum share of good public rules that a check may report. */
const firingShareMax = 0.03

describe('lint over the rules of SigmaHQ', () => {
  testWithShared([sigmaRulesFile], 'active: no errors, and no check reports more than 3 % of them', () => {
    const reports = lintRules(sigmaRules(activeFolders))
    expect(reports.flatMap(({ findings }) => findings).filter(({ level }) => level === 'error')).toEqual([])
    const counts = new Map<string, number>()
    for (const { findings } of reports) {
      for (const code of new Set(findings.map((finding) => finding.code))) counts.set(code, (counts.get(code) ?? 0) + 1)
    }
    expect(counts.size).toBeGreaterThan(40)
    expect([...counts].filter(([, count]) => count > reports.length * firingShareMax)).toEqual([])
  })

  testWithShared([sigmaRulesFile], 'all: findings have positions, and fixed rules are equivalent', () => {
    const sources = sigmaRules([...activeFolders, 'rules-placeholder', 'deprecated', 'unsupported'])
    const reports = lintRules(sources)
    expect(reports).toHaveLength(sources.length)
    let fixedCount = 0
    for (const [i, { path, findings }] of reports.entries()) {
      const source = sources[i]!
      const lineCount = source.text.split('\n').length
      for (const { line, column } of findings) {
        expect(line, path).toBeLessThanOrEqual(lineCount)
        expect(column, path).toBeGreaterThan(0)
      }
      if (!findings.some(({ fix }) => fix?.isSafe)) continue
      const { text, fixed } = fixRules(source)
      fixedCount += fixed.length
      expect(areEquivalentRules(source.text, text, {}), path).toBe(true)
      expect(fixRules({ ...source, text }).fixed, path).toEqual([])
    }
    expect(fixedCount).toBeGreaterThan(500)
  })
})
