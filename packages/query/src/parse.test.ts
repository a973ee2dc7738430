import { describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import { parseQuery } from './parse.ts'
import { printQuery } from './print.ts'
import { QueryError } from './query-error.ts'
import type { QueryErrorCode } from './query-error.ts'

function errorOf(text: string): QueryError {
  try {
    parseQuery(text)
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
  throw new Error(`${text} was taken`)
}

test('what is no text is refused', () => {
  const none: unknown = undefined
  expect(() => parseQuery(none as string)).toThrow(new TypeError('a query is a text'))
})

describe('a query and its canonical text', () => {
  test.for<[text: string, canonical: string]>([
    ['', '*'],
    [' \t\n', '*'],
    ['*', '*'],
    ['**', '*'],
    ['powershell', 'powershell'],
    ['failed login', 'failed AND login'],
    ['"failed login"', '"failed login"'],
    ['pass*word', 'pass*word'],
    ['"*"', '"*"'],
    ['404', '404'],
    ['f:10.0.0.1/8/9', 'f:10.0.0.1/8/9'],
    ['null', 'null'],
    ['\u3000전원\u00a0켜짐', '전원 AND 켜짐'],

    ['a:1 b:2', 'a:1 AND b:2'],
    ['a:1 and b:2', 'a:1 AND b:2'],
    ['a:1 Or b:2', 'a:1 OR b:2'],
    ['not a:1', 'NOT a:1'],
    ['NOT NOT a:1', 'NOT NOT a:1'],
    ['"not" found', '"not" AND found'],
    ['nothing andy oregon', 'nothing AND andy AND oregon'],
    ['and:1', '"and":1'],
    ['(a)OR(b)', 'a OR b'],
    ['a(b)', 'a AND b'],

    ['a OR b c', 'a OR b AND c'],
    ['(a OR b) c', '(a OR b) AND c'],
    ['a AND b OR c AND d', 'a AND b OR c AND d'],
    ['NOT a b', 'NOT a AND b'],
    ['NOT (a b)', 'NOT (a AND b)'],
    ['((a)) (b (c))', 'a AND b AND c'],
    ['a OR (b OR (c OR d))', 'a OR b OR c OR d'],

    ['f:(a OR b)', 'f:a OR f:b'],
    ['f:(a OR b) c', 'f:(a OR b) AND c'],
    ['(f:a OR f:b) AND NOT (f:c f:d)', 'f:(a OR b) AND NOT f:(c AND d)'],
    ['f:(a b*)', 'f:a AND f:b*'],
    ['NOT f:(NOT a OR "b c")', 'NOT f:(NOT a OR "b c")'],
    ['(f:a OR g:a) b', '(f:a OR g:a) AND b'],
    ['x f:(>5 OR [1 TO 2] OR null)', 'x AND f:(>5 OR [1 TO 2] OR null)'],

    ['f:value', 'f:value'],
    ['f:"value"', 'f:value'],
    ['f:"two words"', 'f:"two words"'],
    [String.raw`f:two\ words`, 'f:"two words"'],
    [String.raw`f:two\ words*`, String.raw`f:two\ words*`],
    ['f:""', 'f:""'],
    ['f:or', 'f:"or"'],
    ['f:*', 'f:*'],
    ['f:**', 'f:**'],
    ['f:"*"', 'f:"*"'],
    ['f:null', 'f:null'],
    ['f:"null"', 'f:"null"'],
    ['f:NULL', 'f:NULL'],
    ['f:4688', 'f:4688'],
    ['f:"4688"', 'f:"4688"'],
    ['f:-1.5e3', 'f:-1.5e3'],
    ['f:007', 'f:007'],
    ['f:0x1f', 'f:0x1f'],
    ['f:1e999', 'f:1e999'],
    ['f:12:30:00', 'f:12:30:00'],
    ['f:http://a/b?c', 'f:http://a/b?c'],
    ['f:a<b', 'f:a<b'],
    [String.raw`f:\<b`, 'f:"<b"'],

    [String.raw`Image:*\powershell.exe`, String.raw`Image:*\powershell.exe`],
    [String.raw`Image:C:\Windows\*`, String.raw`Image:"C:\Windows*"`],
    [String.raw`Image:C:\Windows\\*`, String.raw`Image:C:\Windows\\*`],
    [String.raw`Image:a\\*b\\`, String.raw`Image:a\\*b\\`],
    [String.raw`Image:"C:\Program Files\a.exe"`, String.raw`Image:"C:\Program Files\a.exe"`],
    [String.raw`Image:"C:\\"`, String.raw`Image:"C:\\"`],
    [String.raw`Image:C:\ `.trim(), String.raw`Image:"C:\\"`],
    [String.raw`f:"say \"hi\""`, String.raw`f:"say \"hi\""`],
    [String.raw`f:a\"b`, String.raw`f:"a\"b"`],

    ['ip:10.0.0.0/8', 'ip:10.0.0.0/8'],
    ['ip:"10.0.0.0/8"', 'ip:"10.0.0.0/8"'],
    ['ip:fe80::/10', 'ip:fe80::/10'],
    ['path:/etc/passwd', 'path:/etc/passwd'],
    ['rate:1/2', 'rate:1/2'],

    ['process.command_line:x', 'process.command_line:x'],
    ['@timestamp:x', '@timestamp:x'],
    ['cs-uri-query:x', 'cs-uri-query:x'],
    ['"Threat Name":x', '"Threat Name":x'],
    [String.raw`Threat\ Name:x`, '"Threat Name":x'],
    [String.raw`a\:b:x`, '"a:b":x'],
    ['"":x', '"":x'],
    ['__proto__:x', '__proto__:x'],

    ['n:[1 TO 5]', 'n:[1 TO 5]'],
    ['n:{1 to 5]', 'n:{1 TO 5]'],
    ['n:[ 1 TO 5 }', 'n:[1 TO 5}'],
    ['n:[* TO 5]', 'n:<=5'],
    ['n:[* TO 5}', 'n:<5'],
    ['n:[1 TO *]', 'n:>=1'],
    ['n:{1 TO *}', 'n:>1'],
    ['n:[* TO *]', 'n:*'],
    ['n:["1" TO "5"]', 'n:[1 TO 5]'],
    ['n:>5', 'n:>5'],
    ['n:<="5"', 'n:<=5'],
    ['t:[2026-01-01 TO 2026-01-01]', 't:[2026-01-01 TO 2026-01-01]'],
    ['t:>=2026-01-01T10:00:00.5+09:00', 't:>=2026-01-01T10:00:00.5+09:00'],
    ['t:["2026-01-01 10:00" TO *]', 't:>="2026-01-01 10:00"'],
    ['t:[now-1h TO now]', 't:[now-1h TO now]'],
    ['t:>NOW-7d/d', 't:>NOW-7d/d'],

    ['f:/a+/', 'f:/a+/'],
    ['f:/a+/i', 'f:/a+/i'],
    ['/a|b/', '/a|b/'],
    ['*:/a/', '/a/'],
    ['f:"/a/"', 'f:"/a/"'],
    ['f:/a/b', 'f:/a/b'],
    ['f:/a b/', 'f:/a AND b/'],
    [String.raw`f:/a\/b/`, String.raw`f:/a\/b/`],
    [String.raw`f:\/a*/`, String.raw`f:\/a*/`],
    ['f:/(a|b)c/ x', 'f:/(a|b)c/ AND x'],
    ['*:a', '*:a'],
    ['*:*', '*'],
    ['*:(a OR b) c', '*:(a OR b) AND c'],
  ])('%j is %s', ([text, canonical]) => {
    expect(printQuery(parseQuery(text))).toBe(canonical)
    expect(printQuery(parseQuery(canonical))).toBe(canonical)
  })
})

test('spans lead back to the text', () => {
  const text = 'a:1 OR b:(x NOT "y z")'
  const query = parseQuery(text)
  const slices: string[] = []
  const walk = (part: typeof query): void => {
    slices.push(text.slice(part.span.start, part.span.end))
    if (part.kind === 'and' || part.kind === 'or') for (const one of part.of) walk(one)
    if (part.kind === 'not') walk(part.of)
  }
  walk(query)
  expect(slices).toEqual([text, 'a:1', 'x NOT "y z"', 'x', 'NOT "y z"', '"y z"'])
})

describe('a text that is no query', () => {
  test.for<[text: string, code: QueryErrorCode, place: string, message: RegExp]>([
    ['a:', 'ERR_QUERY_SYNTAX', '1:3', /^expected '\(', a comparison, a quoted text, a range or a value, but the text ends there$/],
    ['a: b', 'ERR_QUERY_SYNTAX', '1:3', /but found a blank; write the value with no blank after the colon$/],
    ['user:a AND AND b', 'ERR_QUERY_SYNTAX', '1:12', /^expected '\(', NOT, a field, a quoted text or a word, but found the operator 'AND'/],
    ['OR user:a', 'ERR_QUERY_SYNTAX', '1:1', /^expected '\(', NOT, a field, a quoted text or a word, but found the operator 'OR'/],
    ['(OR a)', 'ERR_QUERY_SYNTAX', '1:2', /^expected '\(', NOT, a field, a quoted text or a word, but found/],
    ['f:(a OR OR b)', 'ERR_QUERY_SYNTAX', '1:9', /^expected '\(', NOT, a comparison, a quoted text, a range or a value, but found/],
    [':b', 'ERR_QUERY_SYNTAX', '1:1', /a field.*but found ':b'$/],
    ['a AND', 'ERR_QUERY_SYNTAX', '1:6', /a field.*but the text ends there$/],
    ['AND a', 'ERR_QUERY_SYNTAX', '1:1', /but found the operator 'AND'/],
    ['a OR\nOR b', 'ERR_QUERY_SYNTAX', '2:1', /but found the operator 'OR'/],
    ['NOT', 'ERR_QUERY_SYNTAX', '1:4', /but the text ends there$/],
    ['(a', 'ERR_QUERY_SYNTAX', '1:3', /'\)'/],
    ['a)', 'ERR_QUERY_SYNTAX', '1:2', /the end of the query, but found '\)'$/],
    ['()', 'ERR_QUERY_SYNTAX', '1:2', /but found '\)'$/],
    ['f:()', 'ERR_QUERY_SYNTAX', '1:4', /a value/],
    ['f:(and)', 'ERR_QUERY_SYNTAX', '1:4', /but found the operator 'and', which is a word in quotes$/],
    ['f:"x', 'ERR_QUERY_SYNTAX', '1:5', /^expected a closing quote, but the text ends there$/],
    ['"a"b', 'ERR_QUERY_SYNTAX', '1:4', /a blank, but found 'b'$/],
    ['[1 TO 5]', 'ERR_QUERY_SYNTAX', '1:1', /but found '\[1'$/],
    ['n:[1 5]', 'ERR_QUERY_SYNTAX', '1:6', /^expected TO, but found '5\]'$/],
    ['n:[1 TO 5', 'ERR_QUERY_SYNTAX', '1:10', /'\]' or '}'/],
    ['n:[a TO 5]', 'ERR_QUERY_VALUE', '1:4', /^'a' is neither a number nor a time/],
    ['n:>x', 'ERR_QUERY_VALUE', '1:4', /^'x' is neither/],
    ['n:>*', 'ERR_QUERY_VALUE', '1:4', /^a comparison takes a number or a time$/],
    ['n:[5 TO 1]', 'ERR_QUERY_VALUE', '1:3', /^this range is empty$/],
    ['n:{1 TO 1]', 'ERR_QUERY_VALUE', '1:3', /^this range is empty/],
    ['n:[NaN TO 1]', 'ERR_QUERY_VALUE', '1:4', /^'NaN' is neither/],
    ['n:[1 TO Infinity]', 'ERR_QUERY_VALUE', '1:9', /^'Infinity' is neither/],
    ['n:[1 TO 2026-01-01]', 'ERR_QUERY_VALUE', '1:3', /from a number to a number/],
    ['t:[2026-01-02 TO 2026-01-01]', 'ERR_QUERY_VALUE', '1:3', /^this range is empty/],
    ['t:{2026-01-01 TO 2026-01-01T23:59]', 'ERR_QUERY_VALUE', '1:3', /^this range is empty/],
    ['t:[now TO now-1h]', 'ERR_QUERY_VALUE', '1:3', /^this range is empty$/],
    ['t:>now-1y', 'ERR_QUERY_VALUE', '1:4', /^'now-1y' is neither/],
    ['f:/(a/', 'ERR_QUERY_VALUE', '1:3', /^the regular expression cannot be read: .*; in quotes it is compared as text$/],
    ['f:/(?=a)/', 'ERR_QUERY_VALUE', '1:3', /^the regular expression cannot run in linear time/],
    ['*:null', 'ERR_QUERY_VALUE', '1:3', /^'null' needs a field before it$/],
    ['*:[1 TO 2]', 'ERR_QUERY_VALUE', '1:3', /^a range needs a field before it$/],
    ['t:>2026-02-30', 'ERR_QUERY_VALUE', '1:4', /^'2026-02-30' is neither/],
    ['x ip:10.0.0.1/8', 'ERR_QUERY_VALUE', '1:6', /host bits set; in quotes it is compared as text$/],
    ['ip:10.0.0.0/33', 'ERR_QUERY_VALUE', '1:4', /0 to 32/],
    [`f:${'*a'.repeat(33)}`, 'ERR_QUERY_TOO_MANY_WILDCARDS', '1:3', /at most 32 wildcards; this one has 33$/],
  ])('%j: %s at %s', ([text, code, place, message]) => {
    const error = errorOf(text)
    expect([error.code, `${error.line}:${error.column}`]).toEqual([code, place])
    expect(error.message).toMatch(message)
  })
})

describe('limits', () => {
  const or = (count: number): string => Array.from({ length: count }, (_, i) => `f:${i}`).join(' OR ')
  const inParentheses = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`

  test.for<[title: string, text: string]>([
    ['bytes', `"${'a'.repeat(limits.queryBytesMax - 2)}"`],
    ['bytes of other characters', '한'.repeat(Math.floor(limits.queryBytesMax / 3))],
    ['bytes of letters with two', 'é'.repeat(limits.queryBytesMax / 2)],
    ['bytes of pairs', '😀'.repeat(limits.queryBytesMax / 4)],
    ['terms', or(limits.termsMax)],
    ['terms of a list', `f:(${'a '.repeat(limits.termsMax)})`],
    ['ranges', 'f:[1 TO 2] '.repeat(limits.termsMax)],
    ['parentheses of a regular expression', `f:/${'('.repeat(limits.depthMax + 1)}a${')'.repeat(limits.depthMax + 1)}/`],
    ['parentheses', inParentheses(limits.depthMax)],
    ['parentheses of a list', `f:${inParentheses(limits.depthMax)}`],
    ['NOT', `${'NOT '.repeat(limits.depthMax)}a`],
    ['NOT and parentheses', `${'NOT ('.repeat(limits.depthMax / 2)}a${')'.repeat(limits.depthMax / 2)}`],
    ['parentheses beside each other', '(a) '.repeat(limits.termsMax)],
    ['NOT beside each other', 'NOT a '.repeat(limits.termsMax)],
    ['NOT and parentheses beside each other', 'NOT (a) '.repeat(limits.termsMax)],
    ['parentheses in quotes', `"${'('.repeat(1_000)}"`],
    ['wildcards', `f:${'*a'.repeat(limits.wildcardsMax)}`],
  ])('as many %s as there may be', ([, text]) => {
    expect(() => parseQuery(text)).not.toThrow()
  })

  test.for<[title: string, text: string, code: QueryErrorCode]>([
    ['bytes', `"${'a'.repeat(limits.queryBytesMax - 1)}"`, 'ERR_QUERY_TOO_LONG'],
    ['bytes of other characters', '한'.repeat(Math.ceil(limits.queryBytesMax / 3)), 'ERR_QUERY_TOO_LONG'],
    ['bytes of letters with two', 'é'.repeat(limits.queryBytesMax / 2 + 1), 'ERR_QUERY_TOO_LONG'],
    ['bytes of pairs', '😀'.repeat(limits.queryBytesMax / 4 + 1), 'ERR_QUERY_TOO_LONG'],
    ['terms', or(limits.termsMax + 1), 'ERR_QUERY_TOO_MANY_TERMS'],
    ['terms of a list', `f:(${'a '.repeat(limits.termsMax + 1)})`, 'ERR_QUERY_TOO_MANY_TERMS'],
    ['terms before parentheses', 'a(b) '.repeat(limits.termsMax / 2 + 1), 'ERR_QUERY_TOO_MANY_TERMS'],
    ['parentheses behind a slash in a value', `f:a/${inParentheses(limits.depthMax + 1)}/`, 'ERR_QUERY_TOO_DEEP'],
    ['terms behind what only looks like a range', `f:(a:[b ${'c '.repeat(limits.termsMax)})`, 'ERR_QUERY_TOO_MANY_TERMS'],
    ['parentheses', inParentheses(limits.depthMax + 1), 'ERR_QUERY_TOO_DEEP'],
    ['parentheses of a list', `f:${inParentheses(limits.depthMax + 1)}`, 'ERR_QUERY_TOO_DEEP'],
    ['parentheses behind what only looks like a range', `f:(a:[${inParentheses(limits.depthMax)})`, 'ERR_QUERY_TOO_DEEP'],
    ['NOT', `${'NOT '.repeat(limits.depthMax + 1)}a`, 'ERR_QUERY_TOO_DEEP'],
    ['NOT and parentheses', `${'NOT ('.repeat(limits.depthMax / 2)}NOT a${')'.repeat(limits.depthMax / 2)}`, 'ERR_QUERY_TOO_DEEP'],
  ])('one more than there may be: %s', ([, text, code]) => {
    expect(errorOf(text).code).toBe(code)
  })
})
