import { describe, expect, test } from 'vitest'
import { compileObjects } from '../test/compile-objects.ts'
import { Engine } from './engine.ts'
import type { RuleSet } from './rule-set.ts'
import { stepUnitsMax } from './step-work.ts'
import './parts/provide-kernel.ts'
import { prepareRules } from './prepare-rules.ts'

const ruleCount = 400
/** Rules with 1 to 40 values of each of two fields, and one with far more. */
const longestList = 1_000

function compile(): RuleSet {
  const valuesOf = (rule: number): number => rule === 7 ? longestList : 1 + rule % 40
  return compileObjects(Array.from({ length: ruleCount }, (_, rule) => ({
    detection: {
      selection: {
        'CommandLine|contains': Array.from({ length: valuesOf(rule) }, (_unused, i) => `value ${rule} ${i};`),
        'Image|endswith': Array.from({ length: 1 + rule % 9 }, (_unused, i) => `\\program-${rule}-${i}.exe`),
      },
      condition: 'selection',
    },
  }))).ruleSet
}

const events = Array.from({ length: ruleCount }, (_, rule) => ({
  _logsource: { category: 'test' }, CommandLine: `run value ${rule} 0; now`, Image: `C:\\x\\program-${rule}-${rule % 9}.exe`,
}))

function match(ruleSet: RuleSet): readonly string[] {
  return new Engine(ruleSet).push(events).map(({ rule, ...found }) => `${rule.id} ${'row' in found ? found.row : ''}`)
}

describe('the indexes of rules', () => {
  test('are built in steps of bounded work', () => {
    const units = [...prepareRules(compile())]
    expect(units.length).toBeGreaterThan(100)
    // A step ends with the item that fills it; the values of one rule are at most one item.
    const fullest = units.toSorted((a, b) => b - a)
    expect(fullest[0]).toBeLessThanOrEqual(stepUnitsMax + longestList + 9)
    // The long one is read, its requirement is found, its tests are made and its needles are counted twice.
    expect(fullest.filter((count) => count > stepUnitsMax + 40 + 9).length).toBeLessThanOrEqual(5)
  })

  test('are built once, by all who prepare them', () => {
    const ruleSet = compile()
    const alone = [...prepareRules(compile())].length
    const [first, second] = [prepareRules(ruleSet), prepareRules(ruleSet)]
    let count = 0
    while ([first.next(), second.next()].some(({ done }) => done !== true && ++count > 0));
    expect(count).toBeLessThanOrEqual(alone)
    expect([...prepareRules(ruleSet)]).toEqual([])
  })

  test.for([0, 1, 10, 60, 120, Infinity])('give the same matches after %d steps', (stepsMax) => {
    const ruleSet = compile()
    let taken = 0
    const steps = prepareRules(ruleSet)
    while (taken++ < stepsMax && steps.next().done !== true);
    const expected = match(compile())
    expect(expected).toHaveLength(ruleCount)
    expect(match(ruleSet)).toEqual(expected)
    // What was left goes on from what the engine has built.
    expect([...steps].length).toBeLessThanOrEqual([...prepareRules(compile())].length)
  })
})
