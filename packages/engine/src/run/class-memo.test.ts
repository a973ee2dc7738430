import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileObjects } from '../../test/compile-objects.ts'
import { placeholders } from '../../test/generate/generate-items.ts'
import { events, rules } from '../../test/generate/generate.ts'
import { ValueView } from '../event/value-view.ts'
import { lookUp } from '../event/value.ts'
import type { FieldValue } from '../event/value.ts'
import { finishSteps } from '../finish-steps.ts'
import { RuleIndex } from '../plan/rule-index.ts'
import { compileCheck } from '../predicate/check.ts'
import { ClassMemo } from './class-memo.ts'

const seed = 20_261_122

/** The atoms of a field that hold of a value: each is asked. */
function heldOf(index: RuleIndex, field: string, value: FieldValue): number[] {
  return index.atoms.flatMap((atom, number) => {
    if (atom.kind !== 'field' || atom.field !== field || index.isLazy[number] === 1) return []
    return compileCheck(atom.predicate)(new ValueView(value)) ? [number] : []
  })
}

test(`what is remembered gives the class of every value, seed ${seed}`, () => {
  let heldCount = 0
  let recalledCount = 0
  const someRules = fc.array(rules, { minLength: 1, maxLength: 6, size: 'max' })
  const someEvents = fc.array(events, { minLength: 1, maxLength: 6, size: 'max' })
  fc.assert(fc.property(someRules, someEvents, (ruleObjects, batch) => {
    const index = finishSteps(RuleIndex.build(compileObjects(ruleObjects, { placeholders }).ruleSet.rules))
    for (const [number, field] of index.fields.entries()) {
      if (field === undefined) continue
      const classes: string[] = []
      const recollection = new ClassMemo((atoms) => {
        const name = atoms.join()
        if (!classes.includes(name)) classes.push(name)
        return classes.indexOf(name)
      })
      const atoms = index.getFieldAtoms(number)
      // Every value twice: the first time it is learned, the second time it is recalled.
      for (const event of [...batch, ...batch]) {
        const value = lookUp(event, field)
        if (value === undefined) continue
        const sizeBefore = recollection.size
        atoms.scanValue(value)
        const expected = heldOf(index, field, value)
        expect(classes[recollection.classify(number, atoms)]).toBe(expected.join())
        heldCount += expected.length
        if (recollection.size === sizeBefore) recalledCount++
      }
      const { size } = recollection
      for (const event of batch) {
        const value = lookUp(event, field)
        if (value === undefined) continue
        atoms.scanValue(value)
        recollection.classify(number, atoms)
      }
      expect(recollection.size).toBe(size)
    }
  }), { seed, numRuns: 200 })
  expect(heldCount).toBeGreaterThan(1_000)
  expect(recalledCount).toBeGreaterThan(1_000)
})
