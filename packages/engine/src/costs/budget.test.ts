import { describe, expect, test } from 'vitest'
import type { Budget, QuarantinedRule } from './budget.ts'
import { compileRules } from '../compile-rules.ts'
import { Engine } from '../engine.ts'
import type { EventObject } from '../event/event.ts'
import type { RuleSet } from '../rule-set.ts'

/** A rule whose matcher is asked about every event: its regular expression waits until the rest holds. */
const dear = rule('dear', '{c: d, a|re: "^[a-z 0-9]+$"}')
const cheap = rule('cheap', '{a: x}')

function rule(title: string, selection: string, product = 'windows'): string {
  return `title: ${title}\nid: ${idOf(title)}\nlogsource: {product: ${product}}\n`
    + `detection:\n  selection: ${selection}\n  condition: selection\n`
}

function idOf(title: string): string {
  return `00000000-0000-4000-8000-${Buffer.from(title.padEnd(6, '_')).toString('hex')}`
}

function rules(...texts: string[]): RuleSet {
  const { ruleSet, reports } = compileRules(texts.map((text) => ({ text })))
  for (const { verdict, diagnostics } of reports) if (verdict !== 'compiled') throw new Error(JSON.stringify(diagnostics))
  return ruleSet
}

/** An engine whose clock advances by `step.ns` whenever it is looked at, with a budget of 9 ns over 16 events. */
function open(ruleSet: RuleSet, budget: Partial<Budget> = {}) {
  const told: QuarantinedRule[] = []
  const step = { ns: 10 }
  let [at, readCount] = [0, 0]
  const now = () => {
    readCount++
    return (at += step.ns)
  }
  const engine = new Engine(ruleSet, {
    now,
    budget: { nsPerEvent: 9, windowEvents: 16, onQuarantine: (quarantined) => told.push(quarantined), ...budget },
  })
  return { engine, told, step, readCount: () => readCount }
}

type Opened = ReturnType<typeof open>

const event = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, a: 'x', b: 'x', c: 'd' }

/** The ways in which events get into an engine; each tells the titles that match. */
const ways: { readonly [way: string]: (engine: Engine, one: EventObject) => string[] } = {
  objects: (engine, one) => engine.push([one]).map((match) => match.rule.title),
  bytes: (engine, one) =>
    engine.pushBytes(Uint8Array.from(Buffer.from(JSON.stringify(one)))).matches.map((match) => match.rule.title),
}

/** Pushes an event so often, one at a time. */
function push(engine: Engine, count: number, one: EventObject = event): void {
  for (let i = 0; i < count; i++) engine.push([one])
}

describe('a rule over its budget', () => {
  test.for<[nsPerEvent: number, windowEvents: number, atEventCount: number | undefined]>([
    [9, 16, 32],
    [10, 16, undefined],
    [9, 5, 10],
    [9, 100, undefined],
  ])('of %i ns over %i events is quarantined at %j', ([nsPerEvent, windowEvents, atEventCount]) => {
    const { engine, told } = open(rules(cheap, dear), { nsPerEvent, windowEvents })
    push(engine, 64)
    expect(told.map((one) => [one.id, one.atEventCount])).toEqual(atEventCount === undefined ? [] : [[idOf('dear'), atEventCount]])
    expect(engine.quarantined).toEqual(told)
  })

  test('says why', () => {
    const { engine, told } = open(rules(dear))
    push(engine, 32)
    expect(told.map(({ reason }) => reason)).toEqual([
      'took 160 ns over 16 events, 10 ns for each event routed to it, and was over budget in the previous window too; the budget is 9 ns per event',
    ])
  })

  test('in one window only goes on', () => {
    const { engine, told, step } = open(rules(dear))
    for (const ns of [0, 10, 0, 10, 0]) {
      step.ns = ns
      push(engine, 16)
    }
    expect(told).toEqual([])
  })

  test('is one that meets no event, when its comparisons take long on the events of others', () => {
    const { engine, told } = open(rules(cheap, rule('linux', '{a|re: "^[a-f]+$"}', 'linux')))
    for (let i = 0; i < 32; i++) engine.push([{ ...event, a: `value ${i}` }])
    expect(told.map(({ id }) => id)).toEqual([idOf('linux')])
  })
})

describe.for(Object.keys(ways))('a quarantined rule, of %s,', (way) => {
  const matchesOf = ways[way]!

  function quarantine(text: string, { engine, told }: Opened): void {
    for (let i = 0; i < 64; i++) matchesOf(engine, { ...event, a: `value ${i}`, b: `value ${i}` })
    expect(told.map(({ id }) => id), text).toEqual([idOf('dear')])
  }

  test.for<[selection: string, matching: EventObject]>([
    ['{a|fieldref: b}', { a: 'xxx', b: 'xxx' }],
    ['{c: d, a|re: "^[x-z]+$"}', { a: 'xxx' }],
    ['{a|re: "^[x-z]+$"}', { a: 'xxx' }],
    ["{'|re': '^[x-z]+$'}", { a: 'xxx' }],
    ['{a|re: "^[x-z]+$", b|re: "^[xy]+$"}', { a: 'xxx', b: 'xxx' }],
  ])('%s is not tried and costs nothing, until it is released', ([selection, fields]) => {
    const text = rule('dear', selection)
    const opened = open(rules(cheap, text), { nsPerEvent: 5 })
    const { engine, readCount } = opened
    quarantine(text, opened)
    const [costs, reads] = [engine.ruleCosts()[1], readCount()]
    const matching = { ...event, b: 'y', ...fields }
    expect([matchesOf(engine, matching), matchesOf(engine, event)]).toEqual([[], ['cheap']])
    expect([engine.ruleCosts()[1], readCount()]).toEqual([costs, reads])

    expect([engine.release(idOf('dear')), engine.release(idOf('dear'))]).toEqual([true, false])
    expect(engine.quarantined).toEqual([])
    expect(matchesOf(engine, matching)).toEqual(['dear'])
    expect(engine.ruleCosts()[1]).toMatchObject({ confirmed: costs!.confirmed + 1, metEvents: costs!.metEvents + 1 })
  })

  test('begins its budget anew when it is released', () => {
    const opened = open(rules(cheap, dear))
    quarantine(dear, opened)
    const { engine, told, step } = opened
    step.ns = 0
    engine.release(idOf('dear'))
    for (let i = 0; i < 64; i++) matchesOf(engine, event)
    expect(told).toHaveLength(1)
    step.ns = 10
    for (let i = 0; i < 64; i++) matchesOf(engine, event)
    expect(told).toHaveLength(2)
  })

  test.for<[how: string, next: (ruleSet: RuleSet) => RuleSet, isQuarantined: boolean, titles: readonly string[]]>([
    ['the same rules, compiled again', () => rules(dear, cheap), true, ['cheap']],
    ['one more rule', (ruleSet) => ruleSet.applyChange({ put: rules(rule('more', '{b: x}')).rules }), true, ['cheap', 'more']],
    ['its rule changed', (ruleSet) => ruleSet.applyChange({ put: rules(rule('dear', '{c: d, b|re: "^[a-z]+$"}')).rules }), false, ['cheap', 'dear']],
    ['its rule of another logsource', () => rules(rule('dear', '{c: d, a|re: "^[a-z 0-9]+$"}', 'linux'), cheap), false, ['cheap']],
    ['its rule dropped', (ruleSet) => ruleSet.applyChange({ drop: [idOf('dear')] }), false, ['cheap']],
  ])('after a swap to %s', ([, next, isQuarantined, titles]) => {
    const ruleSet = rules(cheap, dear)
    const opened = open(ruleSet)
    quarantine(dear, opened)
    const { engine } = opened
    engine.swap(next(ruleSet))
    expect(engine.quarantined.map(({ id }) => id)).toEqual(isQuarantined ? [idOf('dear')] : [])
    expect(matchesOf(engine, event)).toEqual(titles)
  })
})

test.for<[what: string, budget: Partial<Budget>, message: string]>([
  ['no time', { nsPerEvent: 0 }, 'budget.nsPerEvent is 0; it must be a number above 0'],
  ['no number', { nsPerEvent: Number.NaN }, 'budget.nsPerEvent is NaN; it must be a number above 0'],
  ['no window', { windowEvents: 0 }, 'budget.windowEvents is 0; it must be a number of at least 1'],
])('a budget of %s is refused', ([, budget, message]) => {
  expect(() => open(rules(dear), budget)).toThrow(new RangeError(message))
})

test('a budget without a clock is refused', () => {
  const budget = { nsPerEvent: 1, onQuarantine: () => {} }
  expect(() => new Engine(rules(dear), { budget })).toThrow(new RangeError(`the option 'budget' needs a clock; set the option 'now' as well`))
})
