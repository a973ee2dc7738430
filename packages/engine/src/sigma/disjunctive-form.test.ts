import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { RuleFormula } from './correlation.ts'
import { toDisjunctiveForm } from './disjunctive-form.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_128)
const ruleCount = 4
const rule = (number: number): RuleFormula => ({ kind: 'rule', rule: number })
const formulas: fc.Arbitrary<RuleFormula> = fc.letrec<{ readonly formula: RuleFormula }>((tie) => ({
  formula: fc.oneof({ maxDepth: 3 },
    fc.nat(ruleCount - 1).map(rule),
    fc.record({ kind: fc.constant('not' as const), of: tie('formula') }),
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('formula'), { minLength: 2, maxLength: 3 }) }),
  ),
})).formula

describe(`the disjunctive normal form, seed ${seed}`, () => {
  test('is equivalent to the formula', () => {
    fc.assert(fc.property(formulas, (formula) => {
      const terms = toDisjunctiveForm(formula)
      fc.pre(terms !== undefined)
      for (let seen = 0; seen < 2 ** ruleCount; seen++) {
        const isSeen = (member: number): boolean => (seen >> member) % 2 === 1
        expect(terms.some((term) => term.seen.every(isSeen) && !term.unseen.some(isSeen))).toBe(isTrue(formula, isSeen))
      }
      for (const term of terms) expect(term.seen).toEqual(term.seen.toSorted((a, b) => a - b))
    }), { seed, numRuns: 300 })
  })

  test.for<[pairs: number, isKnown: boolean]>([[8, true], [9, false]])('of %s pairs of alternatives is small enough: %s', ([pairs, isKnown]) => {
    const parts = Array.from({ length: pairs }, (_, pair): RuleFormula => ({ kind: 'or', of: [rule(2 * pair), rule(2 * pair + 1)] }))
    const terms = toDisjunctiveForm({ kind: 'and', of: parts })
    expect(terms?.length).toBe(isKnown ? limits.correlationTermsMax : undefined)
  })
})

function isTrue(formula: RuleFormula, isSeen: (member: number) => boolean): boolean {
  if (formula.kind === 'rule') return isSeen(formula.rule)
  if (formula.kind === 'not') return !isTrue(formula.of, isSeen)
  const parts = formula.of.map((part) => isTrue(part, isSeen))
  return formula.kind === 'and' ? !parts.includes(false) : parts.includes(true)
}
