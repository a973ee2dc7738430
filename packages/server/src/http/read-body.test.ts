import { AppError } from '@tripline/contract/app-error'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import { parseJsonBody, withBody } from './read-body.ts'
import { RequestMemoryLimit } from './request-memory-limit.ts'
import type { Env } from './route.ts'

/** Sends a body to a route that reads at most 40 bytes and parses them; returns the object or the error's code and message. */
async function send(body: string | Uint8Array<ArrayBuffer> | ReadableStream | null, headers: { [name: string]: string } = { 'content-type': 'application/json' }): Promise<unknown> {
  const app = new Hono<Env>()
  app.post('/', async (c) => {
    c.set('bodies', new RequestMemoryLimit())
    return c.json(await withBody(c, 40, async (bytes) => parseJsonBody(c, bytes)))
  })
  app.onError((error, c) => (error instanceof AppError ? c.json([error.code, error.message, error.details]) : c.text(String(error))))
  const response = await app.request('/', { method: 'POST', body, headers, ...(body instanceof ReadableStream && { duplex: 'half' }) })
  return await response.json()
}

/** A body in chunks, which ends or breaks off with an error. */
function stream(chunks: readonly string[], fault?: Error): ReadableStream<Uint8Array> {
  const left = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift()
      if (chunk !== undefined) controller.enqueue(Buffer.from(chunk))
      else if (fault === undefined) controller.close()
      else controller.error(fault)
    },
  })
}

const full = `{"a":"${'x'.repeat(32)}"}`
const tooLarge = ['PAYLOAD_TOO_LARGE', 'the body has more than 40 bytes', { limit_bytes: 40 }]

describe('a body', () => {
  test.for<[title: string, body: string | ReadableStream | null, answer: unknown]>([
    ['in one piece', '{"a":1}', { a: 1 }],
    ['in two pieces', stream(['{"a"', ':1}']), { a: 1 }],
    ['of the most bytes', full, JSON.parse(full)],
    ['of a byte more, as it states', `${full} `, tooLarge],
    ['of a byte more, as it turns out', stream([full, ' ']), tooLarge],
    ['that breaks off', stream(['{"a"'], new Error('reset')), ['INVALID_BODY', 'the request body is incomplete', null]],
    ['that is none', null, ['INVALID_BODY', 'the body is not a JSON object', null]],
    ['of blanks', '  ', ['INVALID_BODY', 'the body is not a JSON object', null]],
    ['that is a list', '[1]', ['INVALID_BODY', 'the body is not a JSON object', null]],
    ['that is null', 'null', ['INVALID_BODY', 'the body is not a JSON object', null]],
  ])('%s', async ([, body, answer]) => {
    const found = await send(body)
    expect(Array.isArray(found) ? found.map((part: unknown) => part ?? null) : found).toEqual(answer)
  })

  test('that is no JSON is refused with its problem', async () => {
    expect(await send('{"a":tru}')).toEqual(['INVALID_BODY', expect.stringMatching(/^the body is not valid JSON: .*Unexpected token/), null])
  })
})

test.for<[type: string | undefined, isJson: boolean]>([
  ['application/json', true], ['APPLICATION/JSON; charset=utf-8', true], ['application/problem+json', true],
  ['text/plain', false], ['application/jsonp', false], ['text/application/json', false], ['', false], [undefined, false],
])('the content type %s', async ([type, isJson]) => {
  const refusal = ['UNSUPPORTED_MEDIA_TYPE', 'the content type must be application/json', { supported: ['application/json'] }]
  expect(await send(new TextEncoder().encode('{}'), type === undefined ? {} : { 'content-type': type })).toEqual(isJson ? {} : refusal)
})

test.for<[title: string, count: number, make: (count: number) => string, message: string]>([
  ['levels', limits.request.bodyDepthMax, (count) => '{"a":'.repeat(count) + '1' + '}'.repeat(count), 'the body nests deeper than 66 levels'],
  ['fields', limits.request.bodyFieldsMax, (count) => `{${Array.from({ length: count }, (_, n) => `"${n}":1`).join(',')}}`,
    'the body has more than 200000 fields'],
])('a body of as many %s as are allowed is parsed, and of one more refused', async ([, max, make, message]) => {
  const app = new Hono<Env>()
  app.post('/', async (c) => c.json(Object.keys(parseJsonBody(c, Buffer.from(await c.req.arrayBuffer()))).length > 0))
  app.onError((error, c) => c.json(error.message))
  const answer = async (count: number): Promise<unknown> =>
    await (await app.request('/', { method: 'POST', body: make(count), headers: { 'content-type': 'application/json' } })).json()
  expect([await answer(max), await answer(max + 1)]).toEqual([true, message])
})
