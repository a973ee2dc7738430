import { ingestReceiptSchema, ruleMatchListSchema } from '@tripline/contract'
import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { Call, TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../../limits.ts'

const path = '/ingest/v1/events'
const line = JSON.stringify(encoded)

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
})

async function matchIds(): Promise<string[]> {
  const { body } = await server.call('GET', '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001/matches')
  return ruleMatchListSchema.parse(body).matches.map((match) => match.match_id)
}

describe('accepts', () => {
  const ndjson = { 'content-type': 'application/x-ndjson' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  test.for<[title: string, call: Call, accepted: number, matched: number]>([
    ['one object', { body: encoded }, 1, 1],
    ['one object over several lines', { body: JSON.stringify(encoded, undefined, 2) }, 1, 1],
    ['an array', { body: [encoded, {}] }, 2, 1],
    ['an array over several lines', { body: JSON.stringify([encoded, {}], undefined, 2) }, 2, 1],
    ['lines', { body: `${line}\n{}\n${line}\n`, headers: ndjson }, 3, 2],
    ['lines that call themselves a form', { body: `${line}\n${line}`, headers: form }, 2, 2],
    ['lines without a content type', { body: `\n${line}\n\n` }, 1, 1],
    ['gzip', { body: gzipSync(`${line}\n${line}`), headers: { 'content-encoding': 'gzip' } }, 2, 2],
    ['more lines than one turn splits', { body: `${line}\n`.repeat(201) }, 201, 201],
  ])('%s', async ([, call, accepted, matched]) => {
    const answer = await server.call('POST', path, call)
    expect(answer.status).toBe(202)
    expect(ingestReceiptSchema.parse(answer.body)).toEqual({ accepted, rejected: 0, errors: [], last_offset: accepted - 1 })
    const { body } = await server.call('GET', '/v1/detection/rules')
    expect(body).toMatchObject({ rules: [{ stats: { matches_total: matched } }] })
  })
})

test('records of one audit event are accepted as records, and one event', async () => {
  const records = ['SYSCALL', 'EXECVE', 'CWD'].map((type) => ({ '@timestamp': '2026-11-20T10:00:00.123Z', type, serial: 7, [type]: 1 }))
  const body = [...records, encoded, { ...records[0], serial: 8 }]
  const answer = await server.call('POST', path, { body })
  expect(answer).toMatchObject({ status: 202, body: { accepted: 5, joined: 2, rejected: 0, last_offset: 2 } })
  await server.app.pipeline.untilIdle()
  expect(server.app.pipeline.accounting('default')).toMatchObject({ accepted: 3, evaluated: 3, deduplicated: 0 })
  // Without a record, it is not what came before, and nothing is lost.
  expect(await server.call('POST', path, { body: body.slice(1) })).toMatchObject({ body: { accepted: 4, joined: 1 } })
})

test('a request that comes again has the same audit events', async () => {
  const body = ['SYSCALL', 'EXECVE'].map((type) => `{"create":{}}\n${JSON.stringify({ '@timestamp': '2026-11-20T10:00:00.123Z', type, serial: 7 })}\n`).join('')
  for (const joined of [1, 2]) {
    expect(await server.call('POST', '/_bulk', { body })).toMatchObject({ body: { errors: false, items: [{}, {}] } })
    await server.app.pipeline.untilIdle()
    expect(server.app.pipeline.accounting('default')).toMatchObject({ accepted: joined, evaluated: 1 })
  }
})

test('a field written with an escape is read, whatever keys came before', async () => {
  // With V8 14.6, `JSON.parse` alone gives the second event's field the name of the first one's.
  const withKey = (key: string): string => line.replace('{', '{"first":1,').replace('CommandLine', () => key)
  const body = [String.raw`\\u0043omman`, String.raw`\u0043ommandLine`].map(withKey).join('\n')
  expect(await server.call('POST', path, { body })).toMatchObject({ body: { accepted: 2 } })
  expect(await matchIds()).toHaveLength(1)
})

test('events that their sender numbers are evaluated once, however they are cut into requests', async () => {
  const sendFrom = (first: number, count: number) =>
    server.call('POST', path, { body: `${line}\n`.repeat(count), headers: { 'x-batch-id': `spool:${first}` } })
  for (const [first, count] of [[0, 3], [0, 3], [2, 3], [1, 1]] as const) expect(await sendFrom(first, count)).toMatchObject({ status: 202, body: { accepted: count } })
  expect(await matchIds()).toHaveLength(5)
  expect((await server.call('POST', path, { body: line, headers: { 'x-batch-id': 'spool' } })).status).toBe(400)
})

test('an invalid event is rejected by index, and the others are accepted', async () => {
  const answer = await server.call('POST', path, { body: `${line}\n[1]\n\n{"a":\n${'{"a":'.repeat(65)}1${'}'.repeat(65)}\n${line}` })
  expect(answer.status).toBe(202)
  expect(ingestReceiptSchema.parse(answer.body)).toEqual({
    accepted: 2,
    rejected: 3,
    errors: [
      { index: 1, code: 'NOT_AN_OBJECT', reason: 'the event is not a JSON object' },
      { index: 2, code: 'INVALID_JSON', reason: 'the event is incomplete JSON' },
      { index: 3, code: 'TOO_DEEP', reason: 'the event nests deeper than 64 levels' },
    ],
    last_offset: 1,
  })
  expect(await matchIds()).toHaveLength(2)
})

test('rejected events beyond the listed ones are counted', async () => {
  const count = limits.ingest.errorsListedMax + 1
  const answer = await server.call('POST', path, { body: `[{}${',1'.repeat(count)}]` })
  const receipt = ingestReceiptSchema.parse(answer.body)
  expect(receipt).toMatchObject({ accepted: 1, rejected: count })
  expect(receipt.errors).toHaveLength(limits.ingest.errorsListedMax)
})

describe('a duplicate event', () => {
  const send = (event: object): Promise<unknown> => server.call('POST', path, { body: event }).then(({ body }) => body)
  const books = () => server.app.pipeline.accounting(onlyTenant)

  test('is accepted but evaluated once', async () => {
    expect(await send({ ...encoded, id: 'e-1' })).toMatchObject({ accepted: 1, last_offset: 0 })
    expect(await send({ ...encoded, id: 'e-1' })).toMatchObject({ accepted: 1, last_offset: 1 })
    expect(await send({ ...encoded, id: 'e-2' })).toMatchObject({ accepted: 1, last_offset: 2 })
    expect(await matchIds()).toHaveLength(2)
    expect(books()).toMatchObject({ accepted: 3, evaluated: 2, deduplicated: 1, inFlight: 0 })
  })

  test('is detected within one request', async () => {
    expect(await send([{ id: 'a' }, { id: 'b' }, { id: 'a' }])).toMatchObject({ accepted: 3, last_offset: 2 })
    expect(books()).toMatchObject({ evaluated: 2, deduplicated: 1 })
  })

  test.for<[title: string, event: object]>([
    ['without an id', {}],
    ['with an empty id', { id: '' }],
    ['with an id that is a number, which many products number kinds of events by', { id: 4688 }],
  ])('%s is evaluated again', async ([, event]) => {
    expect(await send([event, event])).toMatchObject({ accepted: 2 })
    expect(books()).toMatchObject({ evaluated: 2, deduplicated: 0 })
  })
})

test('match ids are deterministic: the same events give the same ids', async () => {
  await server.call('POST', path, { body: [encoded, { ...encoded, id: 'x' }] })
  const ids = await matchIds()
  server = await openTestServer([encodedPowerShell])
  await server.call('POST', path, { body: [encoded, { ...encoded, id: 'x' }] })
  expect(await matchIds()).toEqual(ids)
  expect(new Set(ids).size).toBe(2)
})

describe('the memory limit of request bodies', () => {
  const chunk = Buffer.alloc(limits.ingest.bodyBytesMax, ' ')
  const bodiesMax = Math.floor(limits.request.bodiesHeldBytesMax / chunk.length)

  test('is shared: a body over it is refused and can be retried', async () => {
    const open = Array.from({ length: bodiesMax }, () => openBody(chunk))
    const waiting = open.map(({ body }) => server.call('POST', path, { body }))
    await Promise.all(open.map(({ taken }) => taken))
    const refused = await server.call('POST', path, { body: chunk })
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, body: { error: { code: 'UNAVAILABLE' } } })

    for (const { breakOff } of open) breakOff()
    for (const answer of await Promise.all(waiting)) {
      expect(answer).toMatchObject({ status: 400, body: { error: { message: 'the request body is incomplete' } } })
    }
    expect(await server.call('POST', path, { body: '{}' })).toMatchObject({ status: 202 })
  })

  test('is released, also by refused bodies', async () => {
    for (let i = 0; i <= bodiesMax; i++) expect(await server.call('POST', path, { body: chunk })).toMatchObject({ status: 400 })
  })
})

/** A body that sends one chunk and then stays open; `taken` resolves when the server asks for more. */
function openBody(chunk: Uint8Array): { body: ReadableStream; taken: Promise<void>; breakOff: () => void } {
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  let pulls = 0
  let breakOff = (): void => {}
  const body = new ReadableStream({
    pull(controller) {
      breakOff = () => controller.error(new Error('the sender is gone'))
      if (pulls++ === 0) controller.enqueue(chunk)
      else resolve()
    },
  }, { highWaterMark: 0 })
  return { body, taken, breakOff: () => breakOff() }
}

describe('refuses', () => {
  const gzip = { 'content-encoding': 'gzip' }
  test.for<[title: string, call: Call, status: number, code: string]>([
    ['nothing', { body: '' }, 400, 'INVALID_BODY'],
    ['no body', {}, 400, 'INVALID_BODY'],
    ['what is not JSON', { body: 'Nov 20 10:00:00 host sshd[1]: x\nfoo' }, 400, 'INVALID_BODY'],
    ['an object that breaks off', { body: '{\n"a": 1,\n' }, 400, 'INVALID_BODY'],
    ['an array that breaks off', { body: '[{},{"a"' }, 400, 'INVALID_BODY'],
    ['damaged gzip', { body: 'x', headers: gzip }, 400, 'INVALID_BODY'],
    ['a content encoding that is not known', { body: 'x', headers: { 'content-encoding': 'zstd' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['one byte too much', { body: ' '.repeat(limits.ingest.bodyBytesMax + 1) }, 413, 'PAYLOAD_TOO_LARGE'],
    ['a length that is too much, before a byte is read', { body: '{}', headers: { 'content-length': '99999999999' } }, 413, 'PAYLOAD_TOO_LARGE'],
    ['a bomb', { body: gzipSync(Buffer.alloc(limits.ingest.inflatedBytesMax + 1, ' ')), headers: gzip }, 413, 'PAYLOAD_TOO_LARGE'],
    ['too many events', { body: '{}\n'.repeat(limits.ingest.requestEventsMax + 1) }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('%s', async ([, call, status, code]) => {
    expect(await server.call('POST', path, call)).toMatchObject({ status, body: { error: { code } } })
    expect(await server.call('POST', path, { body: '{}' })).toMatchObject({ body: { last_offset: 0 } })
  })
})
