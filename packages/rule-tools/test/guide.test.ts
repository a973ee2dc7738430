import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileRules } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import { readSharedLines, testWithShared } from '@tripline/engine/test/read-shared-data'
import { activeFolders, sigmaRules, sigmaRulesFile } from '@tripline/engine/test/sigma-rules'
import { describe, expect, test } from 'vitest'
import { parseRegressionInfo, parseRuleTests, toRuleTestSuite, runRuleTests } from '../src/index.ts'
import type { RuleTestReport } from '../src/index.ts'

const guide = readFileSync(fileURLToPath(new URL('../../../docs/guide/rule-tests.md', import.meta.url)), 'utf8')
const examples = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '', ]) => [/^title: (.*)$/m.exec(text)?.[1] ?? '', text] as const)

function failuresOf(results: Iterable<RuleTestReport>): string[] {
  return [...results].flatMap(({ suite, test: { name }, failure }) => (failure === undefined ? [] : [`${suite.title}, ${name}: ${failure}`]))
}

describe('the guide to rule tests', () => {
  test('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4)
  })

  test.for(examples)('%s', ([, text]) => {
    const sources = [{ path: 'example.yml', text }]
    const suites = parseRuleTests(sources)
    const compilation = compileRules(sources)
    expect(compilation.reports.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
    expect(suites.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
    expect(suites.flatMap(({ tests }) => tests).length).toBeGreaterThan(1)
    expect(failuresOf(runRuleTests(compilation, suites))).toEqual([])
  })
})

describe('regression data of SigmaHQ', () => {
  const file = 'regression-original-dev.ndjson.gz'

  testWithShared([sigmaRulesFile, file], 'passes for all of its 121 rules', () => {
    const eventsOf = new Map<string, EventObject[]>()
    const matchesOf = new Map<string, number>()
    for (const { _sigma, ...event } of readSharedLines(file)) {
      const { rule_id: id, match } = _sigma as { readonly rule_id: string; readonly match: boolean }
      eventsOf.set(id, [...(eventsOf.get(id) ?? []), event])
      matchesOf.set(id, (matchesOf.get(id) ?? 0) + (match ? 1 : 0))
    }
    const suites = Array.from(eventsOf, ([id, events]) => {
      const info = parseRegressionInfo(infoOf(id, matchesOf.get(id) ?? 0), 'info.yml')
      expect(info.diagnostics).toEqual([])
      return toRuleTestSuite(info, info.tests.map((one) => ({ test: one, events })))
    })
    const results = [...runRuleTests(compileRules(sigmaRules(activeFolders)), suites)]
    expect(results).toHaveLength(121)
    expect(failuresOf(results)).toEqual([])
    // No number of matches satisfies them.
    expect(results.map(({ suite, found }) => [suite.ruleId, found.length])).toEqual([...matchesOf])
  })
})

/** Prints an info file in the format of SigmaHQ. */
function infoOf(id: string, matchCount: number): string {
  return `rule_metadata:
    - id: ${id}
      title: N/A
regression_tests_info:
    - name: Positive Detection Test
      type: evtx
      provider: Microsoft-Windows-Sysmon
      match_count: ${matchCount}
      path: regression_data/rules/${id}.evtx
`
}
