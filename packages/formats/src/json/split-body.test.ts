import { AppError } from '@tripline/contract/app-error'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { splitBody } from './split-body.ts'

/** The texts of the pieces of a body; one that does not close is marked. */
function split(body: string): string[] {
  const bytes = Buffer.from(body)
  return splitBody(bytes).map(({ start, end, extent }) => `${extent === undefined ? 'open: ' : ''}${bytes.toString('utf8', start, end)}`)
}

function refusal(body: string): string {
  try {
    return `no refusal but ${JSON.stringify(split(body))}`
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : String(error)
  }
}

describe('splits', () => {
  test.for<[title: string, body: string, pieces: string[]]>([
    ['lines', '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
    ['the last line without its end', '{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
    ['lines of Windows and blank lines', '\r\n{"a":1}\r\n\r\n  {"b":2}\r\n \n', ['{"a":1}\r', '{"b":2}\r']],
    ['a byte order mark', '\uFEFF{"a":1}', ['{"a":1}']],
    ['lines of which the middle one is broken', '{"a":1}\n{"b":\n{"c":3}', ['{"a":1}', 'open: {"b":', '{"c":3}']],
    ['lines of which the first one is broken', '{"a":\n{"b":2}\n{"c":3}', ['open: {"a":', '{"b":2}', '{"c":3}']],
    ['lines of which the first has an open text', '{"a":"x\n{"b":2}', ['open: {"a":"x', '{"b":2}']],
    ['a line with two values, left to the parser', '{"a":1}{"b":2}\n{"c":3}', ['{"a":1}{"b":2}', '{"c":3}']],
    ['one object over several lines', '{\n  "a": 1,\n  "b": "}"\n}\n', ['{\n  "a": 1,\n  "b": "}"\n}']],
    ['several objects over several lines', '{\n"a": 1\n}\n{\n"b": 2\n}', ['{\n"a": 1\n}', '{\n"b": 2\n}']],
    ['an array', '[{"a":1}, {"b":2}]', ['{"a":1}', '{"b":2}']],
    ['an array over several lines', '\n[\n {"a":[1,2]},\n {"b":"]"}\n]\n', ['{"a":[1,2]}', '{"b":"]"}']],
    ['a file of CloudTrail', '{"Records":[{"a":1},{"b":2}]}\n', ['{"a":1}', '{"b":2}']],
    ['a message of an event hub over several lines', '{\n "records": [\n {"a":[1]},\n {"b":2}\n]\n}', ['{"a":[1]}', '{"b":2}']],
    ['a list of the audit webhook of Kubernetes',
      '{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[{"kind":"Event"}]}', ['{"kind":"Event"}']],
    ['an event that has records and more', '{"records":[{"a":1}],"b":2}', ['{"records":[{"a":1}],"b":2}']],
    ['an event whose records are no objects', '{"records":[1,2]}', ['{"records":[1,2]}']],
    ['an event without records', '{"records":[]}', ['{"records":[]}']],
    ['lines of which the first is a page', '{"records":[{"a":1}]}\n{"b":2}', ['{"records":[{"a":1}]}', '{"b":2}']],
    ['a page that breaks off', '{"records":[{"a":1},', ['open: {"records":[{"a":1},']],
    ['a page with a comma too much', '{"records":[{"a":1},]}', ['{"records":[{"a":1},]}']],
    ['what is no object', '[1,"a",null]', ['1', '"a"', 'null']],
    ['scalars on lines', '1\nx', ['1', 'x']],
  ])('%s', ([, body, pieces]) => {
    expect(split(body)).toEqual(pieces)
  })

  test('as many events as allowed', () => {
    expect(split('{}\n'.repeat(limits.ingest.requestEventsMax))).toHaveLength(limits.ingest.requestEventsMax)
  })
})

describe('refuses', () => {
  const tooMany = `PAYLOAD_TOO_LARGE: the body contains more than ${limits.ingest.requestEventsMax} events; split it`
  test.for<[title: string, body: string, refusal: string]>([
    ['nothing', '', 'INVALID_BODY: the body contains no events'],
    ['blanks', ' \n\r\t', 'INVALID_BODY: the body contains no events'],
    ['an empty array', '[ ]', 'INVALID_BODY: the body contains no events'],
    ['an array that breaks off', '[{"a":1},{"b":', 'INVALID_BODY: the array has an invalid element at byte 9'],
    ['an array that does not end', '[{"a":1}', 'INVALID_BODY: the array has no comma or closing bracket at byte 8'],
    ['an array without a comma', '[{"a":1} {"b":2}]', 'INVALID_BODY: the array has no comma or closing bracket at byte 9'],
    ['an array with a comma too much', '[{"a":1},]', 'INVALID_BODY: the array has an invalid element at byte 9'],
    ['an array and more', '[{"a":1}]\n{"b":2}', 'INVALID_BODY: the body continues after its array, at byte 10'],
    ['one line too many', '{}\n'.repeat(limits.ingest.requestEventsMax + 1), tooMany],
    ['one element too many', `[{}${',{}'.repeat(limits.ingest.requestEventsMax)}]`, tooMany],
  ])('%s', ([, body, sentence]) => {
    expect(refusal(body)).toBe(sentence)
  })
})
