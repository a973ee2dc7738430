import { expect, test } from 'vitest'
import { formatQueryError } from './format-query-error.ts'
import { parseQuery } from './parse.ts'
import { QueryError } from './query-error.ts'

function explainError(text: string): string {
  try {
    parseQuery(text)
  } catch (error) {
    if (error instanceof QueryError) return formatQueryError(text, error)
    throw error
  }
  return ''
}

test.for<[text: string, printed: string]>([
  ['a:1 AND b:[5 TO 1]', '1:11: ERR_QUERY_VALUE: this range is empty\n1 | a:1 AND b:[5 TO 1]\n              ^^^^^^^^'],
  ['a\nb:"', `2:4: ERR_QUERY_SYNTAX: expected a closing quote, but the text ends there\n2 | b:"\n       ^`],
  ['\t\u001b[31ma:>\u001b[2J', `1:10: ERR_QUERY_VALUE: ' [2J' is neither a number nor a time such as now-1h or 2026-05-06T07:08:09Z\n1 |   [31ma:> [2J\n`],
  ['a:>\u0085x', `1:4: ERR_QUERY_VALUE: ' x' is`],
  [`${'a '.repeat(60)}f:>x`, '1:124: ERR_QUERY_VALUE'],
  [`${'x '.repeat(65)}`, '1:129: ERR_QUERY_TOO_MANY_TERMS: a query has at most 64 terms; this is one more'],
  ['x'.repeat(5_000), '1:1: ERR_QUERY_TOO_LONG: a query has at most 4096 bytes; this one has more\n1 | xxx'],
])('%j', ([text, printed]) => {
  const answer = explainError(text)
  expect(answer.slice(0, printed.length)).toBe(printed)
  expect(answer).not.toMatch(/[^\x20-\x7e\n]/)
  const [, line = '', carets = ''] = answer.split('\n')
  expect(carets.length).toBeLessThanOrEqual(Math.max(line.length, carets.indexOf('^') + 1))
})

test.for<[wordsBefore: number, caretCount: number]>([[1, 116], [40, 60]])('carets end with the printed text: %d words before', ([words, count]) => {
  const answer = explainError(`${'a '.repeat(words)}b:[${'5'.repeat(200)} TO 1]`)
  const [, line = '', carets = ''] = answer.split('\n')
  expect(carets).toHaveLength(line.length)
  expect(carets.trim()).toBe('^'.repeat(count))
})
