import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine, RuleSet } from '../src/index.ts'
import type { CompiledRule, RuleChange } from '../src/index.ts'
import { encodeLines, printMatches } from './compare-push-paths.ts'
import { compileObjects, ruleId } from './compile-objects.ts'
import { placeholders } from './generate/generate-items.ts'
import { events, rules } from './generate/generate.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_122)

/** Few ids, so that changes hit existing rules. */
const idCount = 8
const met = { product: 'windows' }
const notMet = { product: 'windows', category: 'file_event' }
const origin = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1 }

const someRules = fc.uniqueArray(
  fc.record({ number: fc.nat(idCount - 1), rule: rules, isMet: fc.nat(4).map((one) => one > 0) }),
  { selector: ({ number }) => number, maxLength: 4, size: 'max' },
).map((drafts) => drafts.map(({ number, rule, isMet }) => compiled(number, rule, isMet ? met : notMet)))

const steps = fc.array(fc.record({
  put: someRules,
  drop: fc.array(fc.nat(idCount).map(ruleId), { maxLength: 3 }),
  batch: fc.array(events.map((event) => ({ ...event, ...origin })), { minLength: 1, maxLength: 4 }),
}), { minLength: 1, maxLength: 6, size: 'max' })

function compiled(number: number, rule: object, logsource: object): CompiledRule {
  const { ruleSet } = compileObjects([{ ...rule, id: ruleId(number), logsource }], { placeholders })
  return ruleSet.rules[0]!
}

/** The reference: a list in which rules are replaced in place, deleted or appended. */
function changedList(list: readonly CompiledRule[], { put, drop }: { readonly put: readonly CompiledRule[]; readonly drop: readonly string[] }): CompiledRule[] {
  const replaced = list.map((rule) => put.find(({ id }) => id === rule.id) ?? rule)
  const kept = replaced.filter((rule) => put.includes(rule) || !drop.includes(rule.id))
  return [...kept, ...put.filter((rule) => !kept.includes(rule))]
}

describe(`rule sets changed incrementally, seed ${seed}`, () => {
  test('match the same as newly compiled ones, in one running engine', () => {
    let matchCount = 0
    let partCount = 0
    fc.assert(fc.property(someRules, steps, (first, changes) => {
      let ruleSet = new RuleSet(first)
      let list: readonly CompiledRule[] = first
      const meetings = new Map(first.map(({ id }) => [id, 0]))
      const ofEvents = new Engine(ruleSet)
      const ofBytes = new Engine(ruleSet)
      for (const { put, drop, batch } of changes) {
        const before = ruleSet
        ruleSet = ruleSet.applyChange({ put, drop })
        list = changedList(list, { put, drop })
        expectNumbers(ruleSet, list, before)
        ofEvents.swap(ruleSet)
        ofBytes.swap(ruleSet)
        partCount = Math.max(partCount, ruleSet.parts.length)

        const expected = printMatches(new Engine(new RuleSet(list)).push(batch))
        expect(printMatches(new Engine(ruleSet, { plain: true }).push(batch))).toEqual(expected)
        expect(printMatches(ofEvents.push(batch))).toEqual(expected)
        const bytes = encodeLines(batch.map((event) => JSON.stringify(event)))
        expect(printMatches(ofBytes.pushBytes(bytes).matches)).toEqual(expected)
        matchCount += expected.length

        for (const id of meetings.keys()) if (!list.some((rule) => rule.id === id)) meetings.delete(id)
        for (const { id, logsource } of list) {
          meetings.set(id, (meetings.get(id) ?? 0) + (logsource.category === undefined ? batch.length : 0))
        }
        for (const engine of [ofEvents, ofBytes]) {
          expect(list.map(({ id }) => engine.countEvaluations(id))).toEqual(list.map(({ id }) => meetings.get(id)))
          expect(engine.countEvaluations(ruleId(idCount + 1))).toBe(0)
        }
      }
    }), { seed, numRuns: 150 })
    expect(matchCount).toBeGreaterThan(500)
    expect(partCount).toBeGreaterThan(1)
  })
})

function expectNumbers(ruleSet: RuleSet, list: readonly CompiledRule[], before: RuleSet): void {
  expect(ruleSet.rules).toEqual(list)
  expect(list.map(({ id }) => ruleSet.numberOf(id))).toEqual([...list.keys()])
  expect(ruleSet.numberOf(ruleId(idCount + 1))).toBeUndefined()
  const stranger = new RuleSet(before.rules)
  const expected = list.map(({ id }) => before.rules.findIndex((rule) => rule.id === id))
  for (const other of [before, stranger]) expect([...ruleSet.mapNumbersTo(other)]).toEqual(expected)
  const numbers = ruleSet.parts.flatMap((part) => [...part.numbers]).filter((number) => number !== -1)
  expect(numbers.toSorted((a, b) => a - b)).toEqual([...list.keys()])
}

describe('the number of parts stays small', () => {
  const changeCount = 400
  const stock = compileObjects(Array.from({ length: changeCount + 64 }, (_, at) => (
    { detection: { selection: { name: `value ${at}` }, condition: 'selection' } }
  ))).ruleSet.rules
  const base = stock.slice(0, 64)

  test.for<[what: string, change: (at: number) => RuleChange]>([
    ['added one by one', (at) => ({ put: [stock[base.length + at]!] })],
    ['edited over and over', () => ({ put: [base[5]!] })],
    ['edited at random', (at) => ({ put: [base[(at * 37) % base.length]!] })],
    ['added and left out', (at) => ({ put: [stock[base.length + at]!], drop: [stock[at]!.id] })],
    ['left out one by one', (at) => ({ drop: [stock[at]!.id] })],
  ])('when rules are %s', ([, change]) => {
    let ruleSet = new RuleSet(base)
    let partCount = 0
    for (let at = 0; at < changeCount; at++) {
      ruleSet = ruleSet.applyChange(change(at))
      partCount = Math.max(partCount, ruleSet.parts.length)
    }
    expect(partCount).toBeLessThanOrEqual(2 + Math.log2(changeCount))
  })
})

test('a large part is merged when half of it is deleted, within the limit', () => {
  const [rule] = compileObjects([{ detection: { selection: { name: 'x' }, condition: 'selection' } }]).ruleSet.rules
  const rules = Array.from({ length: 300_000 }, (_, at): CompiledRule => ({ ...rule!, id: ruleId(at) }))
  const drop = rules.slice(0, 150_001).map(({ id }) => id)
  expect(new RuleSet(rules).applyChange({ drop }).rules).toHaveLength(149_999)
})
