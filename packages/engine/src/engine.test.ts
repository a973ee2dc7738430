import { describe, expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'
import { Engine } from './engine.ts'
import type { EventObject } from './event/event.ts'
import { limits } from './limits.ts'
import { explain } from './match.ts'
import type { EventOptions } from './match.ts'
import type { RuleSet } from './rule-set.ts'
import { detectionMatches } from '../test/detection-matches.ts'

const sysmon = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1 }

function rule(title: string, logsource: string, selection: string, condition = 'selection'): string {
  return `title: ${title}\nlogsource: ${logsource}\ndetection:\n  selection: ${selection}\n  condition: ${condition}\n`
}

function rules(...texts: string[]): RuleSet {
  const { ruleSet, reports } = compileRules(texts.map((text) => ({ text })))
  for (const { verdict, diagnostics } of reports) if (verdict !== 'compiled') throw new Error(JSON.stringify(diagnostics))
  return ruleSet
}

/** Matches as `row title: conditions`. */
function matches(ruleSet: RuleSet, events: readonly EventObject[], options?: EventOptions): string[] {
  return detectionMatches(new Engine(ruleSet, options).push(events)).map(({ row, rule: { title }, conditions }) => `${row} ${title}: ${conditions.join(', ')}`)
}

describe('Engine', () => {
  const ruleSet = rules(
    rule('process', '{product: windows, category: process_creation}', '{Image|endswith: \\whoami.exe}'),
    rule('any windows', '{product: windows}', '{Image|contains: whoami}'),
    rule('service', '{product: windows, service: sysmon}', '{EventID: 1}'),
    rule('linux', '{product: linux}', '{Image|contains: whoami}'),
  )

  test.for<[string, EventObject, EventOptions, string[]]>([
    ['its own logsource and those that contain it', { ...sysmon, Image: 'C:\\whoami.exe' }, {}, [
      '0 process: selection: Image|endswith=\\whoami.exe',
      '0 any windows: selection: Image|contains=whoami',
      '0 service: selection: EventID=1',
    ]],
    ['no rule where its logsource is unknown', { Image: 'C:\\whoami.exe' }, {}, []],
    ['every rule where it is unknown and that is allowed', { Image: 'C:\\whoami.exe' }, { lenient: true }, [
      '0 process: selection: Image|endswith=\\whoami.exe',
      '0 any windows: selection: Image|contains=whoami',
      '0 linux: selection: Image|contains=whoami',
    ]],
    ['only its own logsource, also when others would be allowed', { _logsource: { product: 'linux' }, Image: 'whoami' }, { lenient: true }, [
      '0 linux: selection: Image|contains=whoami',
    ]],
    ['the logsource it declares, without a taxonomy', { _logsource: { product: 'Windows' }, Image: 'whoami' }, { taxonomy: 'none' }, [
      '0 any windows: selection: Image|contains=whoami',
    ]],
    ['none of several logsources twice', { _logsource: [{ product: 'linux' }, { product: 'linux', category: 'x' }], Image: 'whoami' }, {}, [
      '0 linux: selection: Image|contains=whoami',
    ]],
  ])('runs an event on %s', ([, event, options, want]) => {
    expect(matches(ruleSet, [event], options)).toEqual(want)
  })

  test('orders matches by event, then by rule, over several batches', () => {
    const events = Array.from({ length: limits.batchRowsMax * 2 + 10 }, (_, i) =>
      i % 3 === 0 ? { ...sysmon, Image: 'whoami.exe' } : { _logsource: { product: 'linux' }, Image: i % 3 === 1 ? 'whoami' : '' },
    )
    const got = detectionMatches(new Engine(ruleSet).push(events))
    const order = got.map(({ row, rule: { id } }) => [row, ruleSet.rules.findIndex((one) => one.id === id)] as const)
    expect(order).toEqual(order.toSorted(([a, b], [c, d]) => a - c || b - d))
    expect(got.every(({ row, event }) => events[row] === event)).toBe(true)
    expect(got.filter(({ rule: { title } }) => title === 'linux')).toHaveLength(events.filter((_, i) => i % 3 === 1).length)
  })

  test('says how many events it saw, could not route, and tried on each rule', () => {
    const engine = new Engine(ruleSet)
    engine.push([{ ...sysmon, Image: 'whoami' }, { Image: 'whoami' }, { _logsource: { product: 'linux' } }])
    expect(engine.counts).toEqual({ events: 3, unrouted: 1, suppressed: 0, matches: 2, invalid: 0 })
    const [process, windows, , linux] = ruleSet.rules
    expect([process, windows, linux].map((one) => engine.countEvaluations(one!.id))).toEqual([1, 1, 1])
    expect(engine.countEvaluations('unknown')).toBe(0)
  })

  test('runs the new rules after a swap and keeps counting the old ones that stay', () => {
    const engine = new Engine(ruleSet)
    engine.push([{ ...sysmon, Image: 'x' }])
    const next = rules(rule('any windows', '{product: windows}', '{Image|contains: whoami}'), rule('new', '{product: windows}', '{Image: x}'))
    engine.swap(next)
    expect(engine.push([{ ...sysmon, Image: 'x' }]).map((match) => match.rule.title)).toEqual(['new'])
    expect(next.rules.map(({ id }) => engine.countEvaluations(id))).toEqual([2, 1])
  })
})

describe('conditions of a match', () => {
  const event = { ...sysmon, Image: 'C:\\a\\b.exe', CommandLine: 'b.exe -enc x', User: 'SYSTEM' }
  test.for<[string, string, string, string[]]>([
    ['of a map', '{Image|endswith: \\b.exe, CommandLine|contains: " -ENC "}', 'selection', ['selection: Image|endswith=\\b.exe', 'selection: CommandLine|contains= -ENC ']],
    ['of a list, only those that held', '{CommandLine|contains: [x, y1, enc]}', 'selection', ['selection: CommandLine|contains=x', 'selection: CommandLine|contains=enc']],
    ['of a list of maps', '[{Image: x}, {User: system}]', 'selection', ['selection: User=system']],
    ['of keywords', '[mimikatz, "b.exe*enc"]', 'selection', ['selection: *b.exe*enc* in CommandLine']],
    ['of keywords with modifiers', "{'|re': 'b.exe'}", 'selection', ['selection: |re=b.exe in Image']],
    ['with neq', '{User|neq: admin}', 'selection', ['selection: User|neq=admin']],
    ['of a negation: none', '{User: admin}', 'not selection', []],
    ['of an absent field', '{Product: null}', 'selection', ['selection: Product=null']],
    ['of numbers', '{EventID: 1}', 'selection', ['selection: EventID=1']],
  ])('%s', ([, selection, condition, want]) => {
    expect(matches(rules(rule('r', '{product: windows}', selection, condition)), [event])).toEqual([`0 r: ${want.join(', ')}`])
  })
})

describe('explain', () => {
  const [compiled] = rules(`title: T
logsource: {product: windows}
detection:
  selection: {Image|endswith: \\powershell.exe, CommandLine|contains: -enc}
  filter: {User: SYSTEM}
  condition: selection and not filter`).rules

  test('prints the whole tree, with values and reasons', () => {
    const event = { ...sysmon, Image: 'C:\\Windows\\cmd.exe', CommandLine: 'cmd -enc x' }
    expect(explain(compiled!, event)).toEqual({
      matched: false,
      logsourceMatched: true,
      matchedConditions: [],
      tree: {
        node: 'and',
        result: false,
        children: [
          {
            node: 'selection',
            result: false,
            children: [
              { field: 'Image', op: 'endswith', pattern: '\\powershell.exe', actual: 'C:\\Windows\\cmd.exe', result: false, reason: 'value_mismatch' },
              { field: 'CommandLine', op: 'contains', pattern: '-enc', actual: 'cmd -enc x', result: true, reason: 'matched' },
            ],
          },
          {
            node: 'not filter',
            result: true,
            children: [{ field: 'User', op: 'eq', pattern: 'SYSTEM', actual: null, result: false, reason: 'field_absent' }],
          },
        ],
      },
    })
  })

  test('says when only the logsource keeps a rule from matching', () => {
    const event = { _logsource: { product: 'linux' }, Image: 'C:\\powershell.exe', CommandLine: '-enc' }
    expect(explain(compiled!, event)).toMatchObject({ matched: false, logsourceMatched: false, matchedConditions: [], tree: { result: true } })
  })

  test.for<[string, EventObject, string]>([
    ['{n: 5}', { n: 'x' }, 'value_not_a_number'],
    ['{n|gt: 5}', { n: '4' }, 'value_mismatch'],
    ['{n: x}', { n: null }, 'value_null'],
    ['{n|exists: false}', { n: '' }, 'field_present'],
    ['{n|exists: true}', {}, 'field_absent'],
    ['{n|fieldref: m}', { n: 'x' }, 'reference_absent'],
    ['{n|neq: x}', { n: 'x' }, 'value_mismatch'],
    ['{n|neq: x}', {}, 'matched'],
    ['{n: null}', {}, 'matched'],
    ['{n: null}', { n: 'x' }, 'value_mismatch'],
    ['[x]', { n: 'y' }, 'value_mismatch'],
  ])('%s on %j: %s', ([selection, event, want]) => {
    const [one] = rules(rule('r', '{product: windows}', selection)).rules
    expect(explain(one!, event, { lenient: true }).tree).toMatchObject({ children: [{ reason: want }] })
  })
})
