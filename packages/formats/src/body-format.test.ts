import { expect, test } from 'vitest'
import { findBodyFormat } from './body-format.ts'
import { decodeEvent } from './json/decode-event.ts'

test.for<[contentType: string | undefined]>([
  ['application/json'], ['Application/JSON; charset=utf-8'], ['application/x-ndjson'], ['text/plain'], ['__proto__'], [''], [undefined],
])('%s is read as JSON', ([contentType]) => {
  const { scanBody, decodeEvent: decode } = findBodyFormat(contentType)
  const bytes = Buffer.from('{"a":1}\n{"b":2}\n')
  const spans = [...scanBody(bytes)].filter((span) => span !== undefined)
  expect(spans.map((span) => decode(bytes, span))).toEqual([{ event: { a: 1 } }, { event: { b: 2 } }])
  expect(decode).toBe(decodeEvent)
})
