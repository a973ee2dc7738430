import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  someEvent, someFieldRef, somePattern, somePredicate, someTest, someText,
} from '../../test/generate/generate-predicates.ts'
import { isMatch, printPredicate, regex, text } from '../../test/predicates.ts'
import { isNeedleIn } from '../../test/reference/reference-needle.ts'
import { compileRules } from '../compile-rules.ts'
import { foldCase } from '../event/fold-case.ts'
import { collectLeafTexts } from '../event/leaves.ts'
import { ValueView } from '../event/value-view.ts'
import { lookUp } from '../event/value.ts'
import { compileCheck } from '../predicate/check.ts'
import { compilePattern } from '../predicate/matchers/text.ts'
import { anyOne, anyRun, literal, normalizePattern, parsePattern, printPattern } from '../predicate/pattern.ts'
import type { Pattern, PatternPart } from '../predicate/pattern.ts'
import type { Test } from '../predicate/predicate.ts'
import { printRequirement, findRequirement, listTestRequirements, spellOutPattern } from './requirement.ts'
import type { PatternTexts } from './requirement.ts'

function requirementOfRule(selection: string, condition = 'selection'): string {
  const text = `title: T\nlogsource: {product: p}\ndetection:\n  selection: ${selection}\n  other: {x: y}\n  condition: ${condition}\n`
  const { ruleSet, reports } = compileRules([{ text }])
  const [rule] = ruleSet.rules
  if (rule === undefined) throw new Error(JSON.stringify(reports))
  return printRequirement(findRequirement(rule.predicate))
}

describe('requirementOf', () => {
  test.for<[string, string, string?]>([
    ['{a: Foo}', 'a foo'],
    ['{a|startswith: Foo}', 'a foo...'],
    ['{a|endswith: \\Cmd.exe}', 'a ...\\cmd.exe'],
    ['{a|contains: foo}', 'a ...foo...'],
    ['{a: "x*longer*y"}', 'a ...longer...'],
    ['{a: "x?longer"}', 'a ...longer'],
    ['{a: "?longer*x"}', 'a ...longer...'],
    ['{a: "longer*x"}', 'a longer...'],
    ['{a|windash|contains: " -enc"}', 'a ... -enc... | a ... /enc... | a ... –enc... | a ... —enc... | a ... ―enc...'],
    ['{a|contains: [foo, bar]}', 'a ...foo... | a ...bar...'],
    ['{a|contains|all: [ab, longest, cd]}', 'a ...longest...'],
    ['{a: 1, b|contains: xyz}', 'a 1'],
    ['{a: true}', 'a true'],
    ['{a: "*"}', 'anything'],
    ['{a: ""}', 'a '],
    ['{a: null}', 'anything'],
    ['{a|exists: true}', 'anything'],
    ['{a|re: "foo.*Bazzz"}', 'a ...bazzz...'],
    ['{a|re: "foo|bar"}', 'a ...foo... | a ...bar...'],
    ['{a|neq: foo}', 'anything'],
    ['{a: null, b: foo}', 'b foo'],
    ['[{a: foo}, {b: null}]', 'anything'],
    ['[mimikatz, sekurlsa]', '* ...mimikatz... | * ...sekurlsa...'],
    ['{a: foo}', 'anything', 'not selection'],
    ['{a: foo}', 'a foo', 'selection and not other'],
    ['{a: foo}', 'anything', 'selection or not other'],
    ['{a: foo}', 'a foo | x y', 'selection or other'],
    ['{a: foo}', 'a foo', 'selection and 1 of *'],
    ['{a: foo}', 'a foo', 'not (not selection)'],
    ['{a: foo}', 'anything', 'not (selection and other)'],
    ['{a: foo}', 'a foo', 'not (not selection or other)'],
    ['{a: foo}', 'x y', 'not (selection or not other)'],
    ['{a: foo}', 'a foo | x y', 'not (not selection and not other)'],
    ['{a: foo}', 'anything', 'not (not selection and other)'],
    ['{a|neq: foo}', 'a foo', 'not selection'],
    ['{a|exists: false}', 'anything', 'not selection'],
    ['{a|cased: Foo}', 'a foo'],
    ['{a|re: "x?"}', 'anything'],
    ['{a|re: "[0-9]{64}x"}', 'a with 64 of 0123456789'],
    ['{a|re: "[0-9].{20,}[G-K]{70}"}', 'a with 70 of ghijk'],
    ['{a|re: "[0-9]{15}x[0-9]{15}y[0-9]{15}z[0-9]{17}w"}', 'a with 17 of 0123456789'],
    ['{a|re: "[0-9]{15}x[0-9]{15}y[0-9]{15}z[0-9]{15}w"}', 'a of 64 characters'],
    ['{a|re: "[0-9]{15}"}', 'anything'],
    ['{a|re: "[0-9]{99}", a|contains: abcdefghijklmnop}', 'a ...abcdefghijklmnop...'],
    ['{a|gt: 5}', 'anything'],
    ['{a|fieldref: b}', 'anything'],
    ['{a: Éa}', 'a éa'],
  ])('of %s is %s', ([selection, want, condition]) => {
    expect(requirementOfRule(selection, condition)).toBe(want)
  })

  test('an event that matches has one of the needles', () => {
    const fields = ['a', 'b', 'c.d']
    const leaf = fc.oneof({ weight: 5, arbitrary: someTest([...fields, undefined]) }, { weight: 1, arbitrary: someFieldRef(fields) })
    fc.assert(
      fc.property(somePredicate(leaf), fc.array(someEvent(fields), { minLength: 4, maxLength: 4 }), (predicate, events) => {
        const needles = findRequirement(predicate)
        fc.pre(needles !== undefined)
        for (const event of events) {
          const valueOf = (field: string | undefined) => (field === undefined ? collectLeafTexts(event) : lookUp(event, field))
          const isFound = needles.some((needle) => isNeedleIn(needle, valueOf(needle.field)))
          expect(isFound || !isMatch(predicate, event), `${printPredicate(predicate)}: ${printRequirement(needles)}`).toBe(true)
        }
      }),
      { numRuns: 1500 },
    )
  })
})

describe('requirementsOfTest', () => {
  test.for<[Test, string[]]>([
    [text('a', 'foo'), ['a foo']],
    [text('a', 'ab*longest*longer'), ['a ...longest...', 'a ...longer', 'a ab...']],
    [text('a', 'a*longest*xy*'), ['a ...longest...']],
    [text('a', '*abc?abcd?abcde?abcdef*'), ['a ...abcdef...', 'a ...abcde...', 'a ...abcd...']],
    [regex('a', 'abcd.*(?:abcdef|ghijkl)'), ['a ...abcdef... | a ...ghijkl...', 'a ...abcd...']],
    [regex('a', '[0-9]{64}x'), ['a with 64 of 0123456789']],
    [regex(undefined, '[0-9]{64}x'), []],
    [regex('a', '.'), []],
  ])('of %j are %j', ([one, want]) => {
    expect(listTestRequirements(one).map(printRequirement)).toEqual(want)
  })

  test('each has a needle in a value that passes', () => {
    const texts = ['abc', 'Defg', 'hijkl', 'x']
    const joined = (pieces: readonly string[]) => fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((some) => some.join(''))
    const one = fc.oneof(
      joined([...texts, '*', '?']).map((pattern) => text('a', pattern)),
      joined([...texts, '.*', '.', '(?:abc|Defg)', 'x?']).map((source) => regex('a', source)),
    )
    let passedCount = 0
    fc.assert(
      fc.property(one, joined(texts), (comparison, value) => {
        const requirements = listTestRequirements(comparison)
        if (!compileCheck(comparison)(new ValueView(value))) return
        passedCount += requirements.length > 1 ? 1 : 0
        for (const needles of requirements) {
          const isFound = needles.some((needle) => isNeedleIn(needle, value))
          expect(isFound, `${printPredicate(comparison)}: ${printRequirement(needles)}`).toBe(true)
        }
      }),
      { numRuns: 20_000 },
    )
    expect(passedCount).toBeGreaterThan(20)
  })
})

describe('spelledOut', () => {
  const dash: PatternPart = { kind: 'oneOf', characters: '-/' }

  function print(spelled: PatternTexts | undefined): string {
    return spelled === undefined ? 'not' : `${spelled.anchor}: ${spelled.texts.join(' ')}`
  }

  test.for<[pattern: string, printed: string]>([
    ['Foo', 'whole: foo'],
    ['', 'whole: '],
    ['Foo*', 'start: foo'],
    ['*Foo', 'end: foo'],
    ['*Foo*', 'anywhere: foo'],
    ['*', 'not'],
    ['f*o', 'not'],
    ['f?o', 'not'],
    ['?', 'not'],
    ['*f*', 'anywhere: f'],
    ['É', 'whole: é'],
    ['\\*x', 'whole: *x'],
  ])('%j is %s', ([pattern, printed]) => {
    expect(print(spellOutPattern(parsePattern(pattern)))).toBe(printed)
  })

  test.for<[printed: string, pattern: Pattern]>([
    ['whole: - /', [dash]],
    ['anywhere:  -enc  /enc', [anyRun, literal(' '), dash, literal('Enc'), anyRun]],
    ['whole: -- -/ /- //', [dash, dash]],
    ['whole: --- --/ -/- -// /-- /-/ //- ///', [dash, dash, dash]],
    ['not', [dash, dash, dash, dash]],
    ['start: - /', [dash, anyRun]],
    ['end: - /', [anyRun, dash]],
    ['not', [dash, anyOne]],
    ['whole: a', [{ kind: 'oneOf', characters: 'aA' }]],
    ['whole: 😀 a', [{ kind: 'oneOf', characters: '😀a' }]],
  ])('spells %s', ([printed, pattern]) => {
    expect(print(spellOutPattern(pattern))).toBe(printed)
  })

  test('one of the texts stands exactly where the pattern holds', () => {
    fc.assert(
      fc.property(somePattern, fc.array(someText, { minLength: 5, maxLength: 5 }), (written, texts) => {
        const pattern = normalizePattern(written)
        const spelled = spellOutPattern(pattern)
        fc.pre(spelled !== undefined)
        const isHeld = compilePattern(written, false)
        // What is spelled out is among what is searched, so that some do hold.
        for (const text of [...texts, ...spelled.texts, ...spelled.texts.map((one) => `${one}b`)]) {
          const isThere = spelled.texts.some((one) => (
            isNeedleIn({ field: 'a', kind: 'text', anchor: spelled.anchor, text: one }, text)
          ))
          expect(isThere, `${printPattern(pattern)} in ${text}`).toBe(isHeld(foldCase(text)))
        }
      }),
      { numRuns: 1500 },
    )
  })
})
