import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import type { EventObject } from '../src/index.ts'
import { lookUp } from '../src/event/value.ts'
import { compileObjects } from './compile-objects.ts'
import { placeholders } from './generate/generate-items.ts'
import { events, rules } from './generate/generate.ts'
import { referenceMatches } from './reference/reference.ts'

/*
 * Compares the health of random rules with the reference evaluator on every event. The title has the seed; TRIPLINE_SEED
 * sets another one.
 */

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_120)
const engineOptions = { taxonomy: 'none', lenient: true } as const

describe(`the health of rules, seed ${seed}`, () => {
  test('agrees with an evaluation of each event', () => {
    const stateCounts = new Map<string, number>()
    fc.assert(fc.property(
      fc.array(rules, { minLength: 1, maxLength: 6 }), fc.array(events, { maxLength: 4 }), (ruleObjects, batch) => {
        const engine = new Engine(compileObjects(ruleObjects, { placeholders }).ruleSet, engineOptions)
        engine.push(batch)
        for (const [at, { state, missingFields, metEvents, confirmed }] of engine.ruleHealth().entries()) {
          const matched = batch.filter((event) => referenceMatches(ruleObjects[at] ?? {}, event, { placeholders }))
          expect({ metEvents, confirmed }).toEqual({ metEvents: batch.length, confirmed: matched.length })
          expect(state === 'matched').toBe(matched.length > 0)
          expect(state === 'never_routed').toBe(batch.length === 0)
          expect(missingFields.filter((field) => isInAny(field, batch))).toEqual([])
          stateCounts.set(state, (stateCounts.get(state) ?? 0) + 1)
        }
      }), { seed, numRuns: 800 })
    for (const state of ['never_routed', 'field_never_seen', 'never_candidate', 'never_matched', 'matched']) {
      expect(stateCounts.get(state), state).toBeGreaterThan(20)
    }
  })
})

function isInAny(field: string, batch: readonly EventObject[]): boolean {
  return batch.some((event) => lookUp(event, field) !== undefined)
}
