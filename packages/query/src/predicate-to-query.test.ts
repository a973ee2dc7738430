import { describe, expect, test } from 'vitest'
import { compileRules } from '@tripline/engine'
import { parseCidr, parsePattern } from '@tripline/engine/predicate'
import type { Predicate, ValueTest } from '@tripline/engine/predicate'
import { printPredicateAsQuery } from './predicate-to-query.ts'
import type { Translation } from './translation.ts'

/** A rule of some selections and a condition, printed. */
function printed(detection: string): Translation {
  const text = `title: A rule\nlogsource: { product: any }\ndetection: ${detection}`
  const [rule] = compileRules([{ text }]).ruleSet.rules
  if (rule === undefined) throw new Error(`${detection} does not compile`)
  return printPredicateAsQuery(rule.predicate)
}

describe('a rule as a query', () => {
  test.for<[detection: string, query: string]>([
    [String.raw`{ sel: { Image|endswith: '\cmd.exe', User: SYSTEM }, condition: sel }`, String.raw`Image:*\cmd.exe AND User:SYSTEM`],
    [`{ sel: { a: [x, 'y z'], b|contains: c }, condition: sel }`, 'a:(x OR "y z") AND b:*c*'],
    [`{ sel: { a|contains|all: [x, y] }, condition: sel }`, 'a:*x* AND a:*y*'],
    [`{ sel: { a: x }, filter: { b: null }, condition: sel and not filter }`, 'a:x AND NOT b:null'],
    [`{ sel: { a: x }, filter_1: { b: y }, filter_2: { b: z }, condition: sel and not 1 of filter_* }`, 'a:x AND NOT b:(y OR z)'],
    [`{ sel: { a: 4688, b: true, c: '4688', d: '' }, condition: sel }`, 'a:4688 AND b:true AND c:"4688" AND d:""'],
    [`{ sel: { a|exists: true, b|exists: false, c: '*' }, condition: sel }`, 'a:* AND NOT b:* AND c:**'],
    [`{ sel: { a|gte: 5, b|lt: 1.5 }, condition: sel }`, 'a:>=5 AND b:<1.5'],
    [`{ sel: { a|cidr: [10.0.0.0/8, '::1'] }, condition: sel }`, 'a:10.0.0.0/8 OR a:::1/128'],
    [`{ sel: { a|neq: x }, condition: sel }`, 'NOT a:x'],
    [`{ sel: [mimikatz, 'two words'], condition: sel }`, 'mimikatz OR "two words"'],
    [`{ sel: { a|neq: x }, condition: not sel }`, 'a:x'],
    [`{ sel: { a|windash: '-x' }, condition: sel }`, 'a:-x OR a:/x OR a:–x OR a:—x OR a:―x'],
    [`{ sel: { 'a b': x, 'c:d': y }, condition: sel }`, '"a b":x AND "c:d":y'],
  ])('%s', ([detection, query]) => {
    expect(printed(detection)).toEqual({ text: query })
  })

  test.for<[detection: string, unsaid: string[]]>([
    [String.raw`{ sel: { '|re': '\Qx\E' }, condition: sel }`, ['a regular expression that is empty or quotes text']],
    [String.raw`{ sel: { a|re: '\Qx\E', b|cased: y }, condition: sel }`, ['a regular expression that is empty or quotes text', 'a case-sensitive comparison']],
    [`{ sel: { a|hour|gte: 5 }, condition: sel }`, ['a comparison of the hour of a time']],
    [`{ sel: { a|fieldref: b }, condition: sel }`, [`a comparison with the field 'b'`]],
    [`{ sel: { a|windash: '-x -y -z' }, condition: sel }`, ['a pattern with more than 25 alternatives']],
    [`{ sel: { a: [${Array.from({ length: 65 }, (_, i) => `v${i}`).join(', ')}] }, condition: sel }`, ['a query has at most 64 terms; this is one more']],
  ])('%s cannot be said', ([detection, unsaid]) => {
    expect(printed(detection)).toEqual({ unsaid })
  })
})

describe('a predicate as a query', () => {
  const testOf = (value: ValueTest): Predicate => ({ kind: 'test', field: 'a', value, written: { item: 'a', operator: 'eq' }, writtenValue: '' })
  const text = (pattern: string): Predicate => testOf({ kind: 'text', pattern: parsePattern(pattern), isCased: false })
  const nested = (depth: number): Predicate => (depth === 0 ? text('x') : { kind: 'group', name: 'g', of: nested(depth - 1) })
  const network = parseCidr('10.0.0.0/8')

  test.for<[answer: Translation, predicate: Predicate]>([
    [{ text: '*' }, { kind: 'and', of: [] }],
    [{ text: 'NOT *' }, { kind: 'or', of: [] }],
    [{ text: 'NOT *' }, { kind: 'constant', value: false }],
    [{ text: 'a:x' }, { kind: 'or', of: [{ kind: 'and', of: [text('x')] }] }],
    [{ text: 'a:x' }, nested(100)],
    [{ unsaid: ['conditions nested deeper than 128'] }, nested(200)],
    [{ text: 'a:>=1970-01-01T00:00:01.000Z' }, testOf({ kind: 'instant', operator: 'gte', at: 1000 })],
    [{ text: 'a:[1970-01-01T00:00:01.000Z TO 1970-01-01T00:00:01.000Z]' }, testOf({ kind: 'instant', operator: 'eq', at: 1000 })],
    [{ text: 'a:10.0.0.0/8' }, 'problem' in network ? text('') : testOf(network)],
    [{ text: 'a:1e-7' }, testOf({ kind: 'compare', operator: 'eq', value: 1e-7 })],
    [{ text: String.raw`a:"\"(x:"` }, text('"(x:')],
    [{ unsaid: ["a condition on elements of the list 'l'"] }, { kind: 'elements', field: 'l', quantifier: 'any', of: text('x') }],
    [{ unsaid: ['a value has at most 32 wildcards; this one has 33'] }, text('*a'.repeat(33))],
  ])('%j', ([answer, predicate]) => {
    expect(printPredicateAsQuery(predicate)).toEqual(answer)
  })
})
