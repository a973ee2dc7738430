import { describe, expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'
import { Engine } from '../engine.ts'
import type { EngineOptions } from '../engine-options.ts'
import type { EventObject } from '../event/event.ts'
import { limits } from '../limits.ts'
import type { RuleSet } from '../rule-set.ts'

function rule(title: string, selection: string, { condition = 'selection', product = 'windows' } = {}): string {
  return `title: ${title}\nlogsource: {product: ${product}}\ndetection:\n  selection: ${selection}\n  condition: ${condition}\n`
}

const rules = (...texts: string[]): RuleSet => compileRules(texts.map((text) => ({ text }))).ruleSet

const curl = rule('Curl', '{Image|endswith: curl.exe, CommandLine|contains: .ps1}')
const original = rule('Original name', '{OriginalFileName: CURL.EXE}')
const linux = rule('Linux', '{Image: /usr/bin/curl}', { product: 'linux' })
const either = rule('Either', '[{Image|endswith: wget.exe}, {OriginalFileName: WGET.EXE}]')
const waiting = rule('Waits', '{Image|endswith: curl.exe, CommandLine|re: "^[a-f]+$"}')

const header = { Channel: 'Security', EventID: 4688 }
const curled: EventObject = { ...header, Image: 'C:\\curl.exe', CommandLine: 'curl a.test' }
const fetched: EventObject = { ...header, Image: 'C:\\curl.exe', CommandLine: 'curl a.ps1' }
const other: EventObject = { ...header, Image: 'C:\\cmd.exe', CommandLine: 'dir' }

/** A line for each rule: its state, and what is missing. */
function healthOf(engine: Engine): string[] {
  return engine.ruleHealth().map(({ title, state, missingFields }) => [title, state, ...missingFields].join(' '))
}

function bytesOf(events: readonly EventObject[]): Uint8Array {
  return Uint8Array.from(Buffer.from(events.map((event) => JSON.stringify(event)).join('\n')))
}

describe('the health of rules', () => {
  test.for<[title: string, events: readonly EventObject[], states: readonly string[]]>([
    ['before any event', [], ['Curl never_routed', 'Original name never_routed', 'Linux never_routed', 'Either never_routed', 'Waits never_routed']],
    ['when nothing was found', [other],
      ['Curl never_candidate', 'Original name field_never_seen OriginalFileName', 'Linux never_routed', 'Either never_candidate', 'Waits never_candidate']],
    ['when something was found', [curled],
      ['Curl never_matched', 'Original name field_never_seen OriginalFileName', 'Linux never_routed', 'Either never_candidate', 'Waits never_matched']],
    ['when one matched', [other, fetched, curled],
      ['Curl matched', 'Original name field_never_seen OriginalFileName', 'Linux never_routed', 'Either never_candidate', 'Waits never_matched']],
    ['when a field has another value', [{ ...header, OriginalFileName: 'x' }],
      ['Curl field_never_seen Image CommandLine', 'Original name never_candidate', 'Linux never_routed', 'Either never_candidate',
        'Waits field_never_seen Image CommandLine']],
  ])('%s', ([, events, states]) => {
    const ruleSet = rules(curl, original, linux, either, waiting)
    const engine = new Engine(ruleSet)
    engine.push(events)
    expect(healthOf(engine)).toEqual([...states])
    const bytesEngine = new Engine(ruleSet)
    for (let time = 0; time < 2; time++) bytesEngine.pushBytes(bytesOf(events))
    expect(healthOf(bytesEngine)).toEqual([...states])
  })

  test('counts events', () => {
    const engine = new Engine(rules(curl))
    engine.push([other, fetched, fetched])
    expect(engine.ruleHealth()).toEqual([
      { id: expect.any(String), title: 'Curl', path: '', state: 'matched', missingFields: [], metEvents: 3, candidates: 1, confirmed: 2 },
    ])
  })

  test('goes on with a rule set that takes the place of another', () => {
    const engine = new Engine(rules(curl, original))
    engine.push([curled])
    engine.swap(rules(original, curl, either))
    expect(healthOf(engine)).toEqual(['Original name field_never_seen OriginalFileName', 'Curl never_matched', 'Either never_routed'])
    engine.push([{ ...header, OriginalFileName: 'x' }])
    expect(healthOf(engine)).toEqual(['Original name never_candidate', 'Curl never_matched', 'Either never_candidate'])
  })

  test('remembers fields when a full memory is left for a new one', () => {
    const engine = new Engine(rules(curl))
    engine.push([curled])
    const texts = Math.ceil(limits.valueCacheBytesMax / (2 * limits.cachedValueLengthMax))
    for (let i = 0; i < texts; i++) engine.push([{ ...header, CommandLine: `${i} `.padEnd(limits.cachedValueLengthMax, 'x') }])
    expect(healthOf(engine)).toEqual(['Curl never_matched'])
  })

  test.for<[title: string, options: EngineOptions, state: string]>([
    ['a plain engine misses no field', { plain: true }, 'Original name never_matched'],
    ['an engine that takes events as they are sees their fields', { taxonomy: 'none', lenient: true }, 'Original name field_never_seen OriginalFileName'],
  ])('%s', ([, options, state]) => {
    const engine = new Engine(rules(original), options)
    engine.push([curled])
    expect(healthOf(engine)).toEqual([state])
  })
})
