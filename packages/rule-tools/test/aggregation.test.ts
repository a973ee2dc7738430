import { compileRules } from '@tripline/engine'
import { expect, test } from 'vitest'
import { parseRuleTests, runRuleTests } from '../src/index.ts'

const rule = `title: Many
logsource: { product: linux }
detection:
    selection: { action: failed }
    timeframe: 5m
    condition: selection | count() by host > 2
`

test.for<[title: string, tests: string]>([
  ['matches with the event that is one too many', `{ sequence: [{ repeat: 3, every: 10s, event: { action: failed, host: a } }], matches: [{ at: 20s, group: { host: A } }] }`],
  ['matches in its timeframe only', `{ sequence: [{ repeat: 3, every: 3m, event: { action: failed, host: a } }], match: false }`],
  ['counts groups apart', `{ sequence: [{ repeat: 2, event: { action: failed, host: a } }, { repeat: 2, event: { action: failed, host: b } }], match: false }`],
  ['passes over other events', `{ sequence: [{ repeat: 9, event: { action: logon, host: a } }], match: false }`],
])('%s', ([, row]) => {
  const sources = [{ path: 'rule.yml', text: rule + `tests: [${row}]\n` }]
  const suites = parseRuleTests(sources)
  expect(suites.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  expect([...runRuleTests(compileRules(sources), suites)].map(({ failure }) => failure)).toEqual([undefined])
})
