import { expect, test } from 'vitest'
import { diffTexts } from './diff-texts.ts'
import type { DiffLine } from './diff-texts.ts'

/** A line with its number; changed words in braces. */
function print(line: DiffLine | undefined): string {
  return line === undefined ? '' : `${line.number} ${line.parts.map(({ text, isChanged }) => (isChanged ? `{${text}}` : text)).join('')}`
}

test.for<[title: string, before: string, after: string, rows: readonly string[]]>([
  ['equal texts', 'a\nb\n', 'a\nb\n', ['1 a = 1 a', '2 b = 2 b']],
  ['a changed word', 'a\nlevel: low\n', 'a\nlevel: high\n', ['1 a = 1 a', '2 level: {low} | 2 level: {high}']],
  ['a line that came', 'a\nc\n', 'a\nb\nc\n', ['1 a = 1 a', ' | 2 b', '2 c = 3 c']],
  ['a line that is gone', 'a\nb\nc\n', 'a\nc\n', ['1 a = 1 a', '2 b | ', '3 c = 2 c']],
  ['more lines in place of one that is alike', 'x\nlevel: low\ny\n', 'x\nstatus: test\nlevel: high\ny\n', [
    '1 x = 1 x', ' | 2 status: test', '2 level: {low} | 3 level: {high}', '3 y = 4 y',
  ]],
  ['fewer lines in place of others', 'one two three\nfour\n', 'one two five\n', ['1 one two {three} | 1 one two {five}', '2 four | ']],
  ['lines without anything in common', 'abc\n', 'x: y\nz: w\n', ['1 abc | ', ' | 1 x: y', ' | 2 z: w']],
  ['no newline at the end', 'a', 'a\n', ['1 a | 1 a']],
  ['from nothing', '', 'a\n', [' | 1 a']],
])('%s', ([, before, after, rows]) => {
  expect(diffTexts(before, after).map((row) => `${print(row.before)} ${row.isSame ? '=' : '|'} ${print(row.after)}`)).toEqual(rows)
})
