import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine, explain } from '../src/index.ts'
import type { Compilation, CompiledRule, EventObject, Logsource, RuleSet } from '../src/index.ts'
import { compileObjects, ruleId } from './compile-objects.ts'
import { placeholders } from './generate/generate-items.ts'
import { events, rules } from './generate/generate.ts'
import { logsourceContains, referenceMatches } from './reference/reference.ts'
import type { RuleObject } from './reference/reference.ts'
import { detectionMatches } from './detection-matches.ts'

/*
 * Differential test of the engine and the reference evaluator with random rules and events. The title has the seed;
 * TRIPLINE_SEED sets another one.
 */

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_120)
const engineOptions = { taxonomy: 'none', lenient: true } as const

describe(`the engine and the reference evaluator, seed ${seed}`, () => {
  test('agree on all events of a batch and all rules of a set', () => {
    let pairCount = 0
    let matchCount = 0
    fc.assert(fc.property(someRules(8), someEvents(6), (ruleObjects, batch) => {
      const expected = batch.flatMap((event, row) => ruleObjects.flatMap((rule, at) =>
        referenceMatches(rule, event, { placeholders }) ? [`event ${row} rule ${ruleId(at)}`] : []))
      const engine = new Engine(compiled(ruleObjects).ruleSet, engineOptions)
      const matches = detectionMatches(engine.push(batch)).map(({ row, rule }) => `event ${row} rule ${rule.id}`)
      expect(matches).toEqual(expected)
      expect(engine.counts).toMatchObject({ events: batch.length, matches: expected.length })
      pairCount += ruleObjects.length * batch.length
      matchCount += expected.length
    }), { seed, numRuns: 1_000 })
    // Guards against a generator that matches nothing or everything.
    expect(pairCount).toBeGreaterThan(2_000)
    expect(matchCount / pairCount).toBeGreaterThan(0.15)
    expect(matchCount / pairCount).toBeLessThan(0.6)
  })

  test('agree on rules outside of quarantine, and on quarantined ones after release', () => {
    let quarantinedCount = 0
    fc.assert(fc.property(someRules(6), someEvents(6), (ruleObjects, batch) => {
      let [at, step] = [0, 1]
      const now = () => (at += step)
      // Any rule that is timed in two windows of one event exceeds the budget.
      const budget = { nsPerEvent: 1e-9, windowEvents: 1, onQuarantine: () => quarantinedCount++ }
      const engine = new Engine(compiled(ruleObjects).ruleSet, { ...engineOptions, now, budget })
      const expectMatches = (event: EventObject): void => {
        const isLeftOut = new Set(engine.quarantined.map(({ id }) => id))
        const expected = ruleObjects.flatMap((rule, number) =>
          !isLeftOut.has(ruleId(number)) && referenceMatches(rule, event, { placeholders }) ? [ruleId(number)] : [])
        expect(engine.push([event]).map(({ rule }) => rule.id)).toEqual(expected)
      }
      for (const event of batch) expectMatches(event)
      step = 0
      for (const { id } of engine.quarantined) {
        expect(engine.release(id)).toBe(true)
        for (const event of batch) expectMatches(event)
      }
    }), { seed, numRuns: 400 })
    expect(quarantinedCount).toBeGreaterThan(100)
  })

  test('agree with explanations', () => {
    fc.assert(fc.property(someRules(3), someEvents(3), (ruleObjects, batch) => {
      const { ruleSet } = compiled(ruleObjects)
      for (const event of batch) {
        for (const [at, rule] of ruleSet.rules.entries()) {
          const ruleObject = ruleObjects[at] ?? {}
          const explanation = explain(rule, event, engineOptions)
          expect(explanation.matched).toBe(referenceMatches(ruleObject, event, { placeholders }))
          expect(conditionsOf(rule, event, ruleSet)).toEqual(explanation.matchedConditions)
          const hasConditions = explanation.matchedConditions.length > 0
          expect(hasConditions).toBe(explanation.matched && (hasConditions || !mayHoldByAbsence(ruleObject)))
        }
      }
    }), { seed, numRuns: 600 })
  })

  test('agree on the rules for the logsource of an event', () => {
    const logsources = fc.record({
      category: fc.constantFrom('process_creation', 'file_event'),
      product: fc.constantFrom('windows', 'linux'),
      service: fc.constantFrom('security', 'sysmon'),
    }, { requiredKeys: [] })
    const ruleLogsources = logsources.filter((logsource) => Object.keys(logsource).length > 0)
    fc.assert(fc.property(
      fc.array(ruleLogsources, { minLength: 1, maxLength: 5 }), fc.array(logsources, { minLength: 1, maxLength: 2 }),
      fc.boolean(), (ofRules, ofEvent, isList) => {
        const detection = { sel: { name: 'x' }, condition: 'sel' }
        const { ruleSet } = compileObjects(ofRules.map((logsource) => ({ logsource, detection })))
        const event = { name: 'x', _logsource: isList ? ofEvent : ofEvent[0] }
        const stated: readonly Logsource[] = isList ? ofEvent : ofEvent.slice(0, 1)
        const expected = ofRules.flatMap((logsource, at) =>
          stated.some((one) => logsourceContains(logsource, one)) ? [ruleId(at)] : [])
        const matches = new Engine(ruleSet).push([event])
        expect(matches.map(({ rule }) => rule.id)).toEqual(expected)
      }), { seed, numRuns: 300 })
  })
})

function someRules(maxLength: number): fc.Arbitrary<RuleObject[]> {
  return fc.array(rules, { minLength: 1, maxLength, size: 'max' })
}

function someEvents(maxLength: number): fc.Arbitrary<EventObject[]> {
  return fc.array(events, { minLength: 1, maxLength, size: 'max' })
}

/** Compiles rules that are all valid. */
function compiled(ruleObjects: readonly RuleObject[]): Compilation {
  const compilation = compileObjects(ruleObjects, { placeholders })
  const refusals = compilation.reports.filter(({ verdict }) => verdict !== 'compiled')
  expect(refusals).toEqual([])
  return compilation
}

/** Lists the matched conditions; empty when the rule does not match. */
function conditionsOf(rule: CompiledRule, event: EventObject, ruleSet: RuleSet): readonly string[] {
  const matches = new Engine(ruleSet, engineOptions).push([event])
  return matches.find((match) => match.rule.id === rule.id)?.conditions ?? []
}

/** Whether the rule may match because of absence, so that the match has no conditions to show. */
function mayHoldByAbsence({ detection }: RuleObject): boolean {
  return /not|\|neq|null|false/.test(JSON.stringify(detection))
}
