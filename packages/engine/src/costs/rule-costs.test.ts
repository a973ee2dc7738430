import { describe, expect, test } from 'vitest'
import { compileRules } from '../compile-rules.ts'
import { Engine } from '../engine.ts'
import type { EngineOptions } from '../engine-options.ts'
import type { EventObject } from '../event/event.ts'
import type { RuleCost } from './rule-costs.ts'
import type { RuleSet } from '../rule-set.ts'

function rule(title: string, selection: string, condition = 'selection'): string {
  return `title: ${title}\nlogsource: {product: p}\ndetection:\n  selection: ${selection}\n  condition: ${condition}\n`
}

function rules(...texts: string[]): RuleSet {
  const { ruleSet, reports } = compileRules(texts.map((text) => ({ text })))
  for (const { verdict, diagnostics } of reports) if (verdict !== 'compiled') throw new Error(JSON.stringify(diagnostics))
  return ruleSet
}

function events(...fields: EventObject[]): EventObject[] {
  return fields.map((one) => ({ _logsource: { product: 'p' }, ...one }))
}

/** A clock that advances by 10 ns whenever it is looked at. */
function ticking(): () => number {
  let at = 0
  return () => (at += 10)
}

function costOf(text: string, pushed: readonly EventObject[], options?: EngineOptions): RuleCost {
  const engine = new Engine(rules(text), options)
  engine.push(pushed)
  const [cost] = engine.ruleCosts()
  return cost!
}

describe('counts of a rule', () => {
  test.for<[selection: string, condition: string, values: readonly string[], counts: readonly number[]]>([
    // Four events met; candidates; asked; confirmed.
    ['{a: foo}', 'selection', ['x', 'x', 'x', 'y'], [4, 0, 0, 0]],
    ['{a: foo}', 'selection', ['foo', 'foo', 'FOO', 'y'], [4, 1, 0, 3]],
    ['{a|contains: foo}', 'selection', ['foo', 'foo bar', 'food', 'y'], [4, 1, 0, 3]],
    ['{a: foo}', 'not selection', ['foo', 'x', 'y', 'z'], [4, 2, 0, 3]],
    ['{a|fieldref: b}', 'selection', ['1', '2', '2', '3'], [4, 1, 0, 1]],
    // Its regular expression waits until the rest holds, and is asked of the event then.
    ['{b: "1", a|re: "^[a-f]+$"}', 'selection', ['abc', 'x', 'abc', 'y'], [4, 1, 4, 2]],
    ['{a|startswith: a, a|re: "^[a-f]+$", b|re: "^[0-9]+$"}', 'selection', ['abc', 'x', 'abc', 'y'], [4, 1, 2, 2]],
    ['{a|re: "^[a-f]+$"}', 'selection', ['abc', 'abd', 'abc', 'x'], [4, 1, 0, 3]],
  ])('%s, %s of %j', ([selection, condition, values, counts]) => {
    const pushed = events(...values.map((a) => ({ a, b: '1' })))
    const { metEvents, candidates, asked, confirmed, sampledNs } = costOf(rule('r', selection, condition), pushed)
    expect([metEvents, candidates, asked, confirmed]).toEqual(counts)
    expect(sampledNs).toBe(undefined)
  })

  test('of a plain engine: every event is asked about', () => {
    const pushed = events({ a: 'foo' }, { a: 'x' })
    expect(costOf(rule('r', '{a: foo}'), pushed, { plain: true })).toMatchObject({ metEvents: 2, candidates: 0, asked: 2, confirmed: 1 })
  })

  test('name what makes each rule a candidate, once for a rule set', () => {
    const engine = new Engine(rules(`${rule('r', '{a: foo}')}\n---\n${rule('s', '{b|contains: bar}')}`))
    const printed = () => engine.ruleCosts().map(({ requirement }) => requirement)
    const first = printed()
    expect(new Set(first).size).toBe(2)
    engine.push(events({ a: 'foo' }))
    expect(printed()).toEqual(first)
    engine.swap(rules(rule('s', '{b|contains: bar}')))
    expect(printed()).toEqual(first.slice(1))
  })

  test('of bytes are those of objects', () => {
    const pushed = events({ a: 'foo' }, { a: '1', b: '1' }, { a: 'x', b: 'y' })
    const ruleSet = rules(rule('equal', '{b: "1", a|re: "^[0-9]$"}'), rule('foo', '{a: foo}'))
    const [ofObjects, ofBytes] = [new Engine(ruleSet), new Engine(ruleSet)]
    ofObjects.push(pushed)
    ofBytes.pushBytes(Uint8Array.from(Buffer.from(pushed.map((event) => `${JSON.stringify(event)}\n`).join(''))))
    expect(ofBytes.ruleCosts()).toEqual(ofObjects.ruleCosts())
    expect(ofBytes.ruleCosts().map(({ confirmed }) => confirmed)).toEqual([1, 1])
  })
})

describe('what a rule requires', () => {
  test.for<[selection: string, requirement: string, rest: Partial<RuleCost>]>([
    ['{a: Foo}', 'a foo', { isAnchored: true, isSearchable: true, shortestText: 3 }],
    ['{a|contains: [foo, Longer]}', 'a ...foo... | a ...longer...', { shortestText: 3 }],
    ['{a: 1, b|contains: xyz}', 'a 1', { isSearchable: true, shortestText: undefined }],
    ['{a|re: "f.*x", b: null}', 'any a', { isAnchored: true, isSearchable: false, shortestText: undefined }],
    ['{a|neq: foo}', 'anything', { isAnchored: false, isSearchable: false, shortestText: undefined }],
    [`{a: [${Array.from({ length: 22 }, (_, i) => `v${i + 10}`).join()}]}`,
      `${Array.from({ length: 20 }, (_, i) => `a v${i + 10}`).join(' | ')} | 2 more`, { shortestText: 3 }],
    ['{a|fieldref: b}', 'a beside b', { isAnchored: true, isSearchable: false }],
    ['[mimikatz]', '* ...mimikatz...', { isAnchored: true }],
  ])('%s: %s', ([selection, requirement, rest]) => {
    expect(costOf(rule('r', selection), [])).toMatchObject({ requirement, ...rest })
  })
})

describe('times of a rule', () => {
  test.for<[selection: string, sampledNs: number]>([
    ['{a: foo}', 0],
    // One batch in which its matcher is asked about all events.
    ['{c: d, a|re: "^[x-z]+$"}', 10],
    // Each event that has both fields.
    ['{a|fieldref: c}', 50],
    // Four values that are new.
    ['{a|re: "^[x-z]+$"}', 40],
    ['{a|cidr: 10.0.0.0/8}', 40],
    // Only of a value in which the literal is found.
    ['{a|re: "^foo.*$"}', 10],
  ])('%s: %i ns', ([selection, sampledNs]) => {
    const pushed = events(...['foo', 'bar', 'foo', '10.0.0.1', 'b'].map((a) => ({ a, c: 'd' })), { a: 'foo' })
    expect(costOf(rule('r', selection), pushed, { now: ticking() }).sampledNs).toBe(sampledNs)
  })

  test('of an atom are shared by the rules that read it', () => {
    const engine = new Engine(rules(rule('one', '{a|re: "^x+$"}'), rule('two', '{a|re: "^x+$", b: c}')), { now: ticking() })
    engine.push(events({ a: 'foo' }, { a: 'bar' }))
    expect(engine.ruleCosts().map(({ sampledNs }) => sampledNs)).toEqual([10, 10])
  })
})

describe('a swap', () => {
  const stays = rule('stays', '{b: "1", a|re: "^[1-1]$"}')
  const pushed = events({ a: '1', b: '1' }, { a: '2', b: '1' })

  test.for<[how: string, next: (ruleSet: RuleSet) => RuleSet]>([
    ['another rule set', () => rules(rule('new', '{a: x}'), stays)],
    ['one more rule', (ruleSet) => ruleSet.applyChange({ put: rules(rule('new', '{a: x}')).rules })],
    ['one rule less', (ruleSet) => ruleSet.applyChange({ drop: [ruleSet.rules[0]!.id] })],
  ])('to %s keeps the counts of rules that stay', ([, next]) => {
    const ruleSet = rules(rule('goes', '{a: y}'), stays)
    const engine = new Engine(ruleSet, { now: ticking() })
    engine.push(pushed)
    engine.swap(next(ruleSet))
    engine.push(pushed)
    const cost = engine.ruleCosts().find(({ title }) => title === 'stays')
    expect(cost).toMatchObject({ metEvents: 4, asked: 4, confirmed: 2, sampledNs: 20 })
  })
})
