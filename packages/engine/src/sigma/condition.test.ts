import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { matchesNamePattern, parseCondition } from './condition.ts'
import type { Condition } from './condition.ts'

const names = ['a', 'b', 'c', 'sel_1', 'sel_2', 'sel-x', '_hidden', 'not', 'AND', 'nothing', 'all', '1']

/** A tree in prefix notation: `(or a (and b c))`. */
function print(condition: Condition): string {
  if (condition.kind === 'selection') return condition.name
  if (condition.kind === 'not') return `(not ${print(condition.of)})`
  if (condition.kind === 'quantifier') return `(${condition.isAll ? 'all' : 'any'} ${condition.names.join(' ')})`
  return `(${condition.kind} ${condition.of.map(print).join(' ')})`
}

function read(text: string): string {
  const { tree, problems } = parseCondition(text, names)
  const notes = problems.map(({ kind, offset, message }) => `${kind}@${offset}: ${message}`)
  return tree === undefined ? notes.join('; ') : [print(tree), ...problems.map(({ kind }) => kind)].join(' ')
}

describe('parseCondition', () => {
  test.for<[string, string]>([
    ['a or b and not c', '(or a (and b (not c)))'],
    ['(a or b) and c', '(and (or a b) c)'],
    ['not not a', '(not (not a))'],
    ['a and b and c', '(and a b c)'],
    ['1 of sel*', '(any sel_1 sel_2 sel-x)'],
    ['any of sel_?', "unknown@7: 'sel_' matches no selection; syntax@11: expected 'and', 'or' or the end, found '?'"],
    ['all of sel_*', '(all sel_1 sel_2)'],
    ['1 of sel-x', '(any sel-x)'],
    ['1 of _*', '(any _hidden)'],
    ['1 of them', '(any a b c sel_1 sel_2 sel-x not AND nothing all 1)'],
    ['1 of *', '(any a b c sel_1 sel_2 sel-x not AND nothing all 1)'],
    ['1 and a', '(and 1 a)'],
    ['nothing', 'nothing'],
    ['not nothing', '(not nothing)'],
    ['not', 'not'],
    ['a and not', '(and a not)'],
    ['not not', '(not not)'],
    ['(not) or a', '(or not a)'],
    ['all', 'all'],
    ['all and all of sel_*', '(and all (all sel_1 sel_2))'],
    ['a AND b', '(and a b) capitals'],
    ['AND', 'AND'],
    ['a And Not b OR c', '(or (and a (not b)) c) capitals capitals capitals'],
    ['1 OF THEM', '(any a b c sel_1 sel_2 sel-x not AND nothing all 1) capitals capitals'],
    ['a\n  and\tb', '(and a b)'],
    ['a and nope or neither', "unknown@6: the condition names 'nope', but there is no such selection; unknown@14: the condition names 'neither', but there is no such selection"],
    ['1 of nope*', "unknown@5: 'nope*' matches no selection"],
    ['2 of sel*', "unknown@0: the condition names '2', but there is no such selection; syntax@2: expected 'and', 'or' or the end, found 'of'"],
    ['1 of', "syntax@4: expected 'them' or a pattern after 'of', found the end"],
    ['1 of (sel*)', "syntax@5: expected 'them' or a pattern after 'of', found '('"],
    ['', 'syntax@0: expected a selection, found the end'],
    ['a b', "syntax@2: expected 'and', 'or' or the end, found 'b'"],
    ['(a', "syntax@2: expected ')', found the end"],
    ['a)', "syntax@1: expected 'and', 'or' or the end, found ')'"],
    ['a and', 'syntax@5: expected a selection, found the end'],
    ['a | count() by b > 5', "aggregation@2: Sigma conditions no longer support aggregations after '|'"],
    ['a && b', "syntax@2: expected 'and', 'or' or the end, found '&'"],
    ['sel*', "syntax@0: expected a selection, found 'sel*'"],
  ])('reads %j', ([text, want]) => {
    expect(read(text)).toBe(want)
  })

  test.for<[string, string, RegExp]>([
    ['parentheses', '('.repeat(100_000).slice(0, limits.conditionLengthMax), /deeper than 64/],
    ['not', 'not '.repeat(16_000), /deeper than 64/],
    ['length', `a ${'or a '.repeat(20_000)}`, /the limit is 65536/],
    ['references', Array.from({ length: 5_000 }, () => '1 of *').join(' or '), /more than 10000 times/],
  ])('bounds %s', ([, text, message]) => {
    expect(read(text)).toMatch(message)
  })
})

describe('matchesNamePattern', () => {
  test.for<[string, string, boolean]>([
    ['a*', 'abc', true],
    ['*c', 'abc', true],
    ['*b*', 'abc', true],
    ['a*c', 'ac', true],
    ['a*a', 'a', false],
    ['ab*ba', 'aba', false],
    ['*', '', true],
    ['abc', 'abc', true],
    ['abc', 'ABC', false],
    ['a*b*c', 'axbxc', true],
    ['a*b*c', 'axcxb', false],
  ])('%s on %s is %s', ([pattern, name, want]) => {
    expect(matchesNamePattern(pattern, name)).toBe(want)
  })
})
