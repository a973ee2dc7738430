/** Selections for conditions: each except `words` matches an event with the field of its name. */
export const conditionSelections: { readonly [name: string]: unknown } = {
  a: { 'a|exists': true },
  b: { 'b|exists': true },
  c: { 'c|exists': true },
  sel_1: { 'sel_1|exists': true },
  sel_2: { 'sel_2|exists': true },
  _hidden: { '_hidden|exists': true },
  nothing: { 'nothing|exists': true },
  'x-y': { 'x-y|exists': true },
  1: { '1|exists': true },
  them1: { 'them1|exists': true },
  words: ['needle'],
}

/** A condition or several; the fields of the event, separated by spaces; whether the rule matches. */
export type ConditionRow = readonly [condition: string | readonly string[], fields: string, holds: boolean]

/** The meaning of conditions: a row for each decision of docs/reference/sigma.md. */
export const conditionRows: readonly ConditionRow[] = [
  ['a', 'a', true],
  ['a', 'b', false],
  ['a and b', 'a b', true],
  ['a and b', 'a', false],
  ['a or b', 'b', true],
  ['not a', '', true],
  ['not not a', 'a', true],
  ['a or b and c', 'a', true],
  ['(a or b) and c', 'a', false],
  ['not a or b', 'a b', true],
  ['not (a or b)', 'b', false],
  ['not a and b', 'b', true],
  ['a and not b and c', 'a c', true],
  ['1 of sel_*', 'sel_2', true],
  ['1 of sel_*', 'a', false],
  ['any of sel_*', 'sel_1', true],
  ['all of sel_*', 'sel_1', false],
  ['all of sel_*', 'sel_1 sel_2', true],
  ['not 1 of sel_*', 'a', true],
  ['not all of sel_*', 'sel_1', true],
  ['1 of *_1', 'sel_1', true],
  ['1 of s*2', 'sel_2', true],
  ['1 of a', 'a', true],
  ['1 of x-y', 'x-y', true],
  ['1 of x-*', 'x-y', true],
  ['1 of them', 'them1', true],
  ['1 of them', '_hidden', false],
  ['1 of *', '_hidden', false],
  ['1 of _*', '_hidden', true],
  ['_hidden', '_hidden', true],
  ['1', '1', true],
  ['1 and a', '1 a', true],
  ['1 of 1', '1', true],
  ['nothing', 'nothing', true],
  ['nothing', '', false],
  ['x-y', 'x-y', true],
  ['a\n  and\tb', 'a b', true],
  ['((a)and(b))', 'a b', true],
  ['a AND b', 'a', false],
  ['a Or b', 'b', true],
  ['NOT a', 'a', false],
  ['1 OF sel_*', 'sel_1', true],
  ['ALL of sel_*', 'sel_1', false],
  ['words', 'a', false],
  [['a', 'b'], 'b', true],
  [['a', 'b'], 'c', false],
]

/** Invalid conditions. */
export const invalidConditions: readonly string[] = [
  '', ' ', 'd', 'A', 'and', 'or', 'not', 'them', 'a b', 'a and', 'a or', 'or a', '(a', 'a)', '()', '2 of sel_*',
  '1 of', '1 of (sel_*)', '1 of nomatch*', 'all of nomatch*', '1 of sel?', '1 of sel.', 'a & b', 'a && b', '! a',
  'a | count() > 5', 'a not b', '1 of sel_[12]', 'sel_*',
]
