import { describe, expect, test } from 'vitest'
import { Engine, compileRules, explain, loadRuleSet, saveRuleSet } from '../src/index.ts'
import type { EventObject, RuleSet } from '../src/index.ts'
import { encodeLines } from './compare-push-paths.ts'

// Lists of categories, products or services, which public rules have though the specification does not: any of them applies.

const id = '4b01554d-e64f-4b5f-9377-05ce72d5c6d8'
const detection = 'detection: { s: { user: alice }, condition: s }\n'
const ruleWith = (logsource: string): string => `title: Listed\nid: ${id}\nlogsource: ${logsource}\n${detection}`
const filterOn = (logsource: string): string => {
  return `title: Not\nlogsource: ${logsource}\nfilter: { rules: [${id}], t: { host: b }, condition: not t }\n`
}

const events: readonly EventObject[] = ['ps_module', 'ps_script', 'ps_classic_start', 'dns_query'].flatMap((category) => {
  return ['a', 'b'].map((host) => ({ _logsource: { product: 'windows', category }, user: 'alice', host }))
})
const other: EventObject = { _logsource: { product: 'linux', category: 'ps_script' }, user: 'alice', host: 'a' }

/** What matches, as `category host`, the same for objects, for bytes, for one event at a time, and as explained. */
function find(ruleSet: RuleSet): string[] {
  const all = [...events, other]
  const rows = new Engine(ruleSet).push(all).map((match) => match.kind === 'detection' && match.row)
  const ofBytes = new Engine(ruleSet).pushBytes(encodeLines(all.map((event) => JSON.stringify(event)))).matches
  expect(ofBytes.map((match) => match.kind === 'detection' && match.row)).toEqual(rows)
  expect([...all.keys()].filter((row) => explain(ruleSet.rules[0]!, all[row]!).matched)).toEqual(rows)
  return all.flatMap(({ _logsource, host }, row) => {
    return rows.includes(row) ? [`${Object.values(_logsource as object).join(' ')} ${String(host)}`] : []
  })
}

describe('lists in a logsource', () => {
  const listed = ruleWith('{ product: windows, category: [ps_module, ps_script] }')
  const found = ['windows ps_module a', 'windows ps_module b', 'windows ps_script a', 'windows ps_script b']

  test('any of the values applies, beside rules of one of them', () => {
    const single = ruleWith('{ product: windows, category: ps_script }').replace(id, '4b01554d-e64f-4b5f-9377-05ce72d5c6d9')
    const { ruleSet } = compileRules([listed, single])
    expect(find(compileRules(listed).ruleSet)).toEqual(found)
    const titles = new Engine(ruleSet).push(events).map(({ rule }) => rule.id === id)
    expect(titles.filter((isListed) => isListed)).toHaveLength(4)
    expect(titles.filter((isListed) => !isListed)).toHaveLength(2)
  })

  test('several lists stand for all of their pairs', () => {
    const { ruleSet } = compileRules(ruleWith('{ product: [linux, windows], category: [ps_script, dns_query] }'))
    expect(find(ruleSet)).toEqual([
      'windows ps_script a', 'windows ps_script b', 'windows dns_query a', 'windows dns_query b', 'linux ps_script a',
    ])
  })

  test('a saved rule set keeps them', async () => {
    expect(find(await loadRuleSet(saveRuleSet(compileRules(listed).ruleSet)))).toEqual(found)
  })

  test.for<[logsource: string, left: string]>([
    ['{ product: windows }', 'a a'],
    ['{ product: windows, category: [ps_script, ps_module, dns_query] }', 'a a'],
    ['{ product: windows, category: ps_script }', 'a b a b'],
  ])('a filter on %s applies where it covers all of them', ([logsource, left]) => {
    expect(find(compileRules([listed, filterOn(logsource)]).ruleSet).map((text) => text.at(-1)).join(' ')).toBe(left)
  })

  test('they are advice that says what the rule applies to, and an error with strict', () => {
    const [report] = compileRules(listed).reports
    expect(report).toMatchObject({ verdict: 'compiled', diagnostics: [{
      kind: 'lint', code: 'INVALID_ATTRIBUTE', message: "'logsource.category' must be text; the rule applies to any of ps_module, ps_script",
    }] })
    expect(compileRules(listed, { strict: true }).reports[0]?.verdict).toBe('invalid')
  })

  test.for<[products: number, categories: number, verdict: string]>([
    [1, 64, 'compiled'], [8, 8, 'compiled'], [1, 65, 'invalid'], [5, 13, 'invalid'],
  ])('%i products with %i categories: %s', ([products, categories, verdict]) => {
    const names = (count: number): string => Array.from({ length: count }, (_, i) => `n${i}`).join(', ')
    const [report] = compileRules(ruleWith(`{ product: [${names(products)}], category: [${names(categories)}] }`)).reports
    expect(report?.verdict).toBe(verdict)
    if (verdict === 'invalid') {
      expect(report?.diagnostics.map(({ message }) => message)).toContain('the logsource stands for 65 log sources; the limit is 64')
    }
  })
})
