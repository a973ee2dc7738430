import { expectProcessorTime, getThreadCpuMs } from '@tripline/engine/test/processor-time'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { Columns } from './file-row.ts'
import { readCsv } from './read-csv.ts'
import { readJsonRows } from './read-json.ts'

const columns: Columns = { 'a': 'text', 'b': 'text', 'word': 'word', 'list': 'list', 'n': 'number', 'flag': 'flag', 'in.x': 'number', 'in.y': 'number' }

/** The rows of a file as short texts, or why it has none. */
async function rowsOf(rows: AsyncGenerator<object>): Promise<string[]> {
  const shown: string[] = []
  try {
    for await (const row of rows) {
      const { line, fields, problem } = row as { line: number; fields?: object; problem?: string }
      shown.push(`${line} ${problem ?? JSON.stringify(fields)}`)
    }
  } catch (error) {
    shown.push(String(error))
  }
  return shown
}

const csv = (text: string | Uint8Array) => rowsOf(readCsv(Buffer.from(text), columns))
const json = (text: string) => rowsOf(readJsonRows(Buffer.from(text)))

describe('a table', () => {
  test.for<[title: string, text: string, rows: string[]]>([
    ['plain', 'a,b\n1,2\n', ['2 {"a":"1","b":"2"}']],
    ['without a last newline', 'a,b\n1,2', ['2 {"a":"1","b":"2"}']],
    ['of CR LF', 'a,b\r\n1,2\r\n3,4\r\n', ['2 {"a":"1","b":"2"}', '3 {"a":"3","b":"4"}']],
    ['of CR alone', 'a,b\r1,2\r3,4', ['2 {"a":"1","b":"2"}', '3 {"a":"3","b":"4"}']],
    ['with a byte order mark', '\uFEFFa,b\n1,2', ['2 {"a":"1","b":"2"}']],
    ['with quotes', 'a,b\n"x, ""y""\nz",2', ['3 {"a":"x, \\"y\\"\\nz","b":"2"}']],
    ['with empty lines', '\n\na,b\n\n1,2\n\n', ['5 {"a":"1","b":"2"}']],
    ['with a formula', 'a,b\n"=cmd|\'/c calc\'!A1",@SUM(1)', ['2 {"a":"=cmd|\'/c calc\'!A1","b":"@SUM(1)"}']],
    ['with a NUL', 'a,b\n\0,2', ['2 {"a":"\\u0000","b":"2"}']],
    ['with an empty field', 'a,b\n,2', ['2 {"b":"2"}']],
    ['of every kind', 'word,list,n,flag,in.x,in.y\nHigh,x; y;,7,Yes,1,2', [
      '2 {"word":"high","list":["x","y"],"n":7,"flag":true,"in":{"x":1,"y":2}}',
    ]],
    ['of no kind', 'n,flag\n1e3,maybe', ['2 {"n":"1e3","flag":"maybe"}']],
    ['with a short row', 'a,b\n1\n3,4', ['2 the row has 1 fields; the header has 2', '3 {"a":"3","b":"4"}']],
    ['with a long row', 'a,b\n1,2,3\n3,4', ['2 the row has 3 fields; the header has 2', '3 {"a":"3","b":"4"}']],
    ['with a header in capitals', ' A ,B\n1,2', ['2 {"a":"1","b":"2"}']],
    ['with a strange column', 'a,c\n1,2', ["AppError: unknown column 'c'; allowed: a, b, word, list, n, flag, in.x, in.y"]],
    ['with a column twice', 'a,A\n1,2', ["AppError: the column 'a' occurs twice"]],
    ['named like a prototype', '__proto__\n1', ["AppError: unknown column '__proto__'; allowed: a, b, word, list, n, flag, in.x, in.y"]],
    ['of a header alone', 'a,b\n', []],
    ['of nothing', '', ['AppError: the CSV has no header row']],
    ['with an open quote', 'a,b\n"1,2\n3,4', ['AppError: the CSV cannot be parsed: line 3: a quote is not closed']],
    ['with a quote in a field', 'a,b\n1,2\nx"y,2', [
      'AppError: the CSV cannot be parsed: line 3: an unquoted field contains a quote',
    ]],
    ['with text behind a quote', 'a,b\n"x"y,2', ['AppError: the CSV cannot be parsed: line 2: text follows a quoted field']],
  ])('%s', async ([, text, rows]) => {
    expect(await csv(text)).toEqual(rows)
  })

  const { columnsMax, fieldLengthMax } = limits.imports
  test.for<[title: string, text: string, last: RegExp]>([
    ['1,000,000 columns', `a,b\n${','.repeat(1_000_000)}`, /line 2 has more than 64 columns/],
    ['as many columns as may be', `a,b\n${','.repeat(columnsMax - 1)}`, /the row has 64 fields/],
    ['one column more', `a,b\n${','.repeat(columnsMax)}`, /has more than 64 columns/],
    ['1,000,000 columns in the header', ','.repeat(1_000_000), /line 1 has more than 64 columns/],
    ['a field as long as may be', `a\n${'x'.repeat(fieldLengthMax)}`, /^2 \{/],
    ['a field longer by one', `a\n${'x'.repeat(fieldLengthMax + 1)}`, /a field of more than 8192 characters/],
    ['a field of 10 MB', `a\n${'x'.repeat(10_000_000)}`, /a row has more than 65536 bytes/],
    ['a quoted field of 10 MB', `a\n"${'x'.repeat(10_000_000)}`, /a row has more than 65536 bytes/],
    ['10 MB of quotes', `a\n${'"'.repeat(10_000_000)}`, /a row has more than 65536 bytes/],
    ['10 MB of newlines', `a\n${'\n'.repeat(10_000_000)}1`, /^10000002 \{"a":"1"\}/],
    ['10 MB of CR', `a\r${'\r'.repeat(10_000_000)}`, /^$/],
  ])('of %s is decided in seconds', async ([, text, last]) => {
    const startedMs = getThreadCpuMs()
    expect((await csv(text)).at(-1) ?? '').toMatch(last)
    expectProcessorTime(getThreadCpuMs() - startedMs, 10_000)
  })
})

describe('JSON', () => {
  test.for<[title: string, text: string, rows: string[]]>([
    ['lines', '{"a":1}\n\n{"b":2}\r\n', ['1 {"a":1}', '3 {"b":2}']],
    ['lines after empty ones', '\n\n {"a":1}', ['3 {"a":1}']],
    ['an array', '[{"a":1},\n {"b":2}]', ['1 {"a":1}', '2 {"b":2}']],
    ['an empty array', ' [ ] ', []],
    ['a byte order mark', '\uFEFF{"a":1}', ['1 {"a":1}']],
    ['a line that is none', '{"a":1}\nnothing\n{"b":2}', ['1 {"a":1}', '2 the row is not valid JSON', '3 {"b":2}']],
    ['a line that breaks off', '{"a":\n{"b":2}', ['1 the row is not a JSON object', '2 {"b":2}']],
    ['a line of two', '{"a":1}{"b":2}', ['1 the row is not valid JSON']],
    ['a list as a line', '1\n[1]', ['1 the row is not a JSON object', '2 the row is not a JSON object']],
    ['a text in an array', '["a",{"b":2}]', ['1 the row is not a JSON object', '2 {"b":2}']],
    ['a deep row', `{"a":${'['.repeat(9)}${']'.repeat(9)}}`, ['1 the row nests deeper than 4 levels']],
    ['a row of many fields', `{${Array.from({ length: 65 }, (_, i) => `"${i}":1`).join()}}`, ['1 the row has more than 64 fields']],
    ['a long row', `{"a":"${'x'.repeat(65_536)}"}\n{"b":2}`, ['1 the row has more than 65536 bytes', '2 {"b":2}']],
    ['an array that breaks off', '[{"a":1},{"b"', ['1 {"a":1}', 'AppError: the array has an invalid element at byte 9']],
    ['an array with a hole', '[{"a":1} {"b":2}]', ['1 {"a":1}', 'AppError: the array has no comma or closing bracket at byte 9']],
    ['more after the array', '[{"a":1}] x', ['1 {"a":1}', 'AppError: the body continues after its array, at byte 10']],
    ['nothing', '  \n ', []],
  ])('%s', async ([, text, rows]) => {
    expect(await json(text)).toEqual(rows)
  })

  test('10 MB of brackets are refused within seconds', async () => {
    const startedMs = getThreadCpuMs()
    expect((await json('['.repeat(10_000_000))).at(-1)).toMatch(/an invalid element at byte 1/)
    expect((await json('{'.repeat(10_000_000))).at(-1)).toMatch(/more than 65536 bytes/)
    expectProcessorTime(getThreadCpuMs() - startedMs, 10_000)
  })
})
