import type { HostileRule } from './hostile-rule.ts'
import { ruleText } from './hostile-rule.ts'

/** Prints a rule with one selection, `sel`, and the quoted condition. */
function conditionText(condition: string): string {
  return ruleText(`sel: {a: x}\ncondition: ${JSON.stringify(condition)}`)
}

/** A rule with many selections. */
function crowdText(count: number, condition: string): string {
  const selections = Array.from({ length: count }, (_, at) => `s${at}: {a${at}: x}`)
  return ruleText([...selections, `condition: ${condition}`].join('\n'))
}

/** Conditions that are expensive to parse or evaluate, or not valid. */
export const hostileConditions: readonly HostileRule[] = [
  ['100,000 open parentheses', () => conditionText('('.repeat(100_000)), ['invalid']],
  ['30,000 pairs of parentheses', () => conditionText(`${'('.repeat(30_000)}sel${')'.repeat(30_000)}`), ['invalid']],
  ['1,000 pairs of parentheses', () => conditionText(`${'('.repeat(1_000)}sel${')'.repeat(1_000)}`),
    ['invalid', 'compiled']],
  ['not, 100,000 times', () => conditionText(`${'not '.repeat(100_000)}sel`), ['invalid']],
  ['not, 10,000 times', () => conditionText(`${'not '.repeat(10_000)}sel`), ['invalid', 'compiled']],
  ['not and parentheses in turn', () => conditionText(`${'not ('.repeat(5_000)}sel${')'.repeat(5_000)}`),
    ['invalid', 'compiled']],
  ['or, 5,000 times', () => conditionText(`sel${' or sel'.repeat(5_000)}`), ['compiled', 'invalid']],
  ['and or, 3,000 times', () => conditionText(`sel${' and sel or not sel'.repeat(3_000)}`), ['compiled', 'invalid']],
  ['1 of them, 1,000 times over 1,000 selections', () =>
    crowdText(1_000, Array(1_000).fill('1 of them').join(' or ')), ['invalid']],
  ['all of s*, 500 times over 1,000 selections', () =>
    crowdText(1_000, Array(500).fill('not all of s*').join(' and ')), ['invalid']],
  ['all of them over 5,000 selections', () => crowdText(5_000, 'all of them'), ['compiled', 'invalid']],
  ['a pattern of 10,000 stars', () => conditionText(`1 of ${'*'.repeat(10_000)}`), ['compiled', 'invalid']],
  ['a pattern that backtracks', () => ruleText(
    `${'a'.repeat(500)}: {a: x}\ncondition: 1 of ${'a*'.repeat(200)}b`), ['invalid']],
  ['half a megabyte of condition', () => conditionText('sel '.repeat(125_000)), ['invalid']],
  ['10,000 conditions', () => ruleText(`sel: {a: x}\ncondition: [${'sel,'.repeat(10_000)}]`), ['compiled', 'invalid']],
  ['nothing', () => conditionText(''), ['invalid']],
  ['a blank', () => conditionText(' \n\t'), ['invalid']],
  ['a NUL', () => conditionText('sel\0and sel'), ['invalid']],
  ['letters that look like others', () => conditionText('ѕel'), ['invalid']],
  ['a no-break space', () => conditionText('sel\u00a0and\u00a0sel'), ['invalid', 'compiled']],
  ['emoji', () => conditionText('😀 or sel'), ['invalid']],
  ['a method', () => conditionText('toString'), ['invalid']],
  ['the prototype', () => conditionText('__proto__'), ['invalid']],
  ['selections of the prototype', () => conditionText('1 of __proto__*'), ['invalid']],
  ['selections named like methods', () =>
    ruleText('__proto__: {a: x}\nconstructor: {a: y}\ntoString: {a: z}\ncondition: __proto__ or all of *o*'),
  ['compiled']],
  ['a pipe', () => conditionText('sel | count() by a > 5'), ['invalid', 'unsupported']],
  ['near', () => conditionText('sel | near other'), ['invalid', 'unsupported']],
  ['a number', () => ruleText('sel: {a: x}\ncondition: 5'), ['invalid']],
  ['null', () => ruleText('sel: {a: x}\ncondition:'), ['invalid']],
  ['a map', () => ruleText('sel: {a: x}\ncondition: {sel: sel}'), ['invalid']],
  ['an empty list', () => ruleText('sel: {a: x}\ncondition: []'), ['invalid']],
  ['a list of lists', () => ruleText('sel: {a: x}\ncondition: [[sel]]'), ['invalid']],
  ['none at all', () => ruleText('sel: {a: x}'), ['invalid']],
  ['one of the prototype', () => ruleText('sel: {a: x}\n__proto__: {condition: sel}'), ['invalid']],
  ['a selection named condition only', () => ruleText('condition: condition'), ['invalid']],
]
