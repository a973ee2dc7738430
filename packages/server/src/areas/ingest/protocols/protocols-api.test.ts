import { ruleMatchListSchema } from '@tripline/contract'
import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { AppError } from '@tripline/contract/app-error'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestServer } from '../../../../test/open-test-server.ts'
import type { Call, TestResponse, TestServer } from '../../../../test/open-test-server.ts'

const line = JSON.stringify(encoded)

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
})

/** Sends as shippers do: their answers are 200, so waiting is left to the test. */
async function send(path: string, call: Call, method = 'POST'): Promise<TestResponse> {
  const response = await server.call(method, path, call)
  await server.app.pipeline.untilIdle()
  return response
}

async function countMatches(): Promise<number> {
  const { body } = await server.call('GET', '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001/matches')
  return ruleMatchListSchema.parse(body).matches.length
}

/** A token of a new connector. */
async function createToken(type: string, config: object = {}): Promise<string> {
  const { body } = await server.call('POST', '/v1/connectors', { body: { name: type, type, config } })
  return (body as { readonly ingest: { readonly token: string } }).ingest.token
}

const timed = (time: string, more: object = {}): string => JSON.stringify({ ...encoded, '@timestamp': time, ...more })

/** A log record in Protocol Buffers with attributes of texts. */
function protobufLogs(records: readonly { readonly [key: string]: string }[]): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter()
  const open = (number: number): BinaryWriter => writer.tag(number, WireType.LengthDelimited).fork()
  open(1)
  open(2)
  for (const record of records) {
    open(2)
    writer.tag(1, WireType.Bit64).fixed64('1763632800123456789')
    for (const [key, value] of Object.entries(record)) {
      open(6)
      writer.tag(1, WireType.LengthDelimited).string(key)
      open(2)
      writer.tag(1, WireType.LengthDelimited).string(value).join()
      writer.join()
    }
    writer.join()
  }
  writer.join().join()
  return writer.finish()
}

const otlpJson = (body: unknown): object => ({
  resourceLogs: [{
    resource: { attributes: [{ key: 'host.name', value: { stringValue: 'h1' } }] },
    scopeLogs: [{ logRecords: [{ timeUnixNano: '1763632800123456789', severityNumber: 9, body }] }],
  }],
})

describe('a body of events is accepted and evaluated', () => {
  const nd = { 'content-type': 'application/x-ndjson' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const hec = JSON.stringify({ time: '1763632800.5', host: 'h1', sourcetype: 'winlog', event: encoded })
  test.for<[title: string, path: string, call: Call, answer: object, accepted: number, matched: number]>([
    ['bulk of rsyslog', '/_bulk', { body: `{"index":{"_index":"logs","_type":"events"}}\n${line}\n\n` }, { errors: false }, 1, 1],
    ['bulk with an index in the path', '/logs/_bulk', { body: `{"create":{}}\n${line}\n{"create":{}}\n{}\n`, headers: nd }, { errors: false }, 2, 1],
    [
      'bulk of winston', '/ingest/elastic/_bulk?wait_for_active_shards=1&timeout=200ms',
      { body: `{"create":{"_index":"logs","pipeline":null},"attempts":0}\n${line}\n` }, { errors: false }, 1, 1,
    ],
    ['gzip', '/_bulk', { body: gzipSync(`{"index":{}}\n${line}\n`), headers: { 'content-encoding': 'gzip' } }, { errors: false }, 1, 1],
    ['events of HEC without a separator', '/services/collector/event/1.0', { body: hec + hec, headers: form }, { code: 0 }, 2, 2],
    ['an event of HEC as text', '/services/collector', { body: JSON.stringify({ event: line }), headers: form }, { code: 0 }, 1, 1],
    ['raw lines of HEC', '/services/collector/raw?host=h1', { body: 'one\n\ntwo\n' }, { text: 'Success', code: 0 }, 2, 0],
    ['OTLP in JSON', '/ingest/otlp/v1/logs', { body: otlpJson({ stringValue: 'hello' }) }, {}, 1, 0],
  ])('%s', async ([, path, call, answer, accepted, matched]) => {
    const response = await send(path, call)
    expect(response.body).toMatchObject(answer)
    expect(response.status).toBe(200)
    expect(server.app.pipeline.accounting('default')).toMatchObject({ accepted })
    expect(await countMatches()).toBe(matched)
  })
})

const basic = (text: string): string => Buffer.from(text).toString('base64')

describe('a token is accepted in the scheme of the protocol', () => {
  test.for<[title: string, type: string, path: string, authorize: (token: string) => string]>([
    ['Splunk', 'splunk_hec', '/services/collector', (token) => `Splunk ${token}`],
    ['Basic with the token as password', 'elastic_bulk', '/_bulk', (token) => `Basic ${basic(`any:${token}`)}`],
    ['ApiKey as it is', 'elastic_bulk', '/_bulk', (token) => `ApiKey ${token}`],
    ['ApiKey as clients encode it', 'elastic_bulk', '/_bulk', (token) => `ApiKey ${basic(`id:${token}`)}`],
    ['Bearer', 'otlp_http', '/ingest/otlp/v1/logs', (token) => `Bearer ${token}`],
  ])('%s', async ([, type, path, authorize]) => {
    const headers = { authorization: authorize(await createToken(type)), 'content-type': 'application/json' }
    const bodies: { readonly [path: string]: string } = {
      '/services/collector': '{"event":"x"}', '/_bulk': `{"create":{}}\n${line}\n`, '/ingest/otlp/v1/logs': JSON.stringify(otlpJson({ intValue: '7' })),
    }
    expect(await send(path, { headers, body: bodies[path] ?? '' })).toMatchObject({ status: 200 })
    const { body } = await server.call('GET', '/v1/connectors')
    expect(body).toMatchObject({ connectors: [{ type, stats: { events_received_total: 1 } }] })
  })
})

describe('a request without a right is refused in the words of the protocol', () => {
  const unknown = { headers: { authorization: 'Splunk tc_x' }, token: null, body: '{}' }
  test.for<[title: string, path: string, call: Call, status: number, answer: object]>([
    ['HEC without a token', '/services/collector', { token: null, body: '{}' }, 401, { text: 'Token is required', code: 2 }],
    ['HEC with an unknown token', '/services/collector', unknown, 403, { text: 'Invalid token', code: 4 }],
    ['bulk', '/_bulk', { token: null, body: '{}' }, 401, { status: 401, error: { type: 'security_exception' } }],
    ['OTLP', '/ingest/otlp/v1/logs', { token: null, body: {} }, 401, { code: 16 }],
  ])('%s', async ([, path, call, status, answer]) => {
    expect(await send(path, call)).toMatchObject({ status, body: answer })
  })

  test('an invalid token of HEC leaves no entry in the audit trail', async () => {
    await send('/services/collector', unknown)
    await server.app.trail.flush()
    expect((await server.call('GET', '/v1/audit')).body).toMatchObject({ entries: [] })
  })
})

describe('a body that is wrong is answered in the words of the protocol', () => {
  const json = { 'content-type': 'application/json' }
  test.for<[title: string, path: string, call: Call, status: number, answer: object]>([
    ['bulk with two actions in a line', '/_bulk', { body: '{"create":{},"index":{}}\n{}\n' }, 400, { error: { type: 'illegal_argument_exception' } }],
    ['bulk without an action', '/_bulk', { body: 'x\n' }, 400, { error: { type: 'illegal_argument_exception' } }],
    ['bulk that ends early', '/_bulk', { body: '{"create":{}}\n' }, 400, { error: { reason: 'the body ends after an action, without its document' } }],
    [
      'bulk with items of all kinds', '/_bulk',
      { body: `{"create":{}}\n[]\n{"delete":{"_id":"1"}}\n{"update":{"_id":"1"}}\n{}\n{"index":{"_id":7}}\n${line}\n` }, 200,
      {
        errors: true,
        items: [
          { create: { status: 400, error: { type: 'document_parsing_exception' } } }, { delete: { status: 400 } }, { update: { status: 400 } },
          { index: { status: 201, _id: '7' } },
        ],
      },
    ],
    ['HEC without data', '/services/collector', { body: '' }, 400, { text: 'No data', code: 5 }],
    ['HEC without an event', '/services/collector', { body: '{"time":1}' }, 400, { code: 12, 'invalid-event-number': 0 }],
    ['HEC that is not JSON', '/services/collector', { body: 'hello' }, 400, { code: 6 }],
    ['HEC that breaks off after an event', '/services/collector', { body: '{"event":"a"}{"event":' }, 200, { code: 0 }],
    ['an acknowledgement', '/services/collector/ack', { body: '{"acks":[1]}' }, 400, { code: 14 }],
    ['OTLP that is not JSON', '/ingest/otlp/v1/logs', { body: 'x', headers: json }, 400, { code: 3 }],
    ['OTLP of another type', '/ingest/otlp/v1/logs', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415, { code: 3 }],
    [
      'OTLP with a record that is none', '/ingest/otlp/v1/logs', { body: { resourceLogs: [{ scopeLogs: [{ logRecords: [1, {}] }] }] } }, 200,
      { partialSuccess: { rejectedLogRecords: '1', errorMessage: 'the log record is not a JSON object' } },
    ],
    ['OTLP without records', '/ingest/otlp/v1/logs', { body: {} }, 200, {}],
  ])('%s', async ([, path, call, status, answer]) => {
    expect(await send(path, call)).toMatchObject({ status, body: answer })
  })
})

describe('back-pressure', () => {
  const full = (code: 'RATE_LIMITED' | 'UNAVAILABLE'): void => {
    vi.spyOn(server.app.pipeline, 'ingest').mockRejectedValue(new AppError(code, 'the queue is full'))
  }

  test.for(['RATE_LIMITED', 'UNAVAILABLE'] as const)('is an item of bulk each: %s', async (code) => {
    full(code)
    const item = { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'the queue is full' } }
    expect(await send('/_bulk', { body: `{"create":{}}\n${line}\n{"index":{"_id":"a"}}\n{}\n` })).toMatchObject({
      status: 200, headers: { 'retry-after': '1' }, body: { errors: true, items: [{ create: item }, { index: { ...item, _id: 'a' } }] },
    })
  })

  test.for(['RATE_LIMITED', 'UNAVAILABLE'] as const)('is code 9 of HEC: %s', async (code) => {
    full(code)
    expect(await send('/services/collector', { body: '{"event":"x"}' })).toMatchObject({
      status: 503, headers: { 'retry-after': '1' }, body: { code: 9 },
    })
  })

  test.for([['RATE_LIMITED', 429], ['UNAVAILABLE', 503]] as const)('is the status of OTLP: %s', async ([code, status]) => {
    full(code)
    expect(await send('/ingest/otlp/v1/logs', { body: otlpJson({ stringValue: 'x' }) })).toMatchObject({
      status, headers: { 'retry-after': '1' }, body: { code: 14 },
    })
  })

  test('before the body is read refuses the request, and counts nothing', async () => {
    vi.spyOn(server.app.pipeline, 'announceBody').mockImplementation(() => {
      throw new AppError('RATE_LIMITED', 'your share is used')
    })
    expect(await send('/_bulk', { body: 'never read' })).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(server.app.pipeline.accounting('default')).toMatchObject({ accepted: 0 })
  })
})

describe('the same bytes again', () => {
  const precise = timed('2026-11-20T09:59:59.123Z')
  /** Events of one second, which differ by a number. */
  const bulk = (numbers: readonly number[]): string =>
    numbers.map((number) => `{"create":{}}\n{"@timestamp":"2026-11-20T09:59:59Z","message":"event ${number}"}\n`).join('')
  test.for<[title: string, path: string, body: string, evaluated: number]>([
    ['are one body of a shipper that tries again', '/_bulk', `{"create":{}}\n${precise}\n{"create":{}}\n${precise}\n`, 2],
    ['are evaluated each where the time has no fraction', '/_bulk', `{"create":{}}\n${timed('2026-11-20T09:59:59Z')}\n`, 2],
    ['are a retry where several events without a fraction differ', '/_bulk', bulk([1, 2]), 2],
    ['are evaluated each where two of them are equal', '/_bulk', bulk([1, 1]), 4],
    ['are evaluated each where one of them tells no time', '/_bulk', `${bulk([1, 2])}{"create":{}}\n{"message":"x"}\n`, 6],
    ['are recognised by the id of each document', '/_bulk', `{"index":{"_id":"a"}}\n${line}\n`, 1],
    ['of HEC are recognised by the time of the envelope', '/services/collector', JSON.stringify({ time: 1763632800.25, event: 'x' }), 1],
    ['of HEC without a time are evaluated each', '/services/collector', JSON.stringify({ event: 'x' }), 2],
    ['of OTLP are recognised', '/ingest/otlp/v1/logs', JSON.stringify(otlpJson({ stringValue: 'x' })), 1],
  ])('%s', async ([, path, body, evaluated]) => {
    const headers = { 'content-type': 'application/json' }
    for (let i = 0; i < 2; i++) await send(path, { body, headers })
    expect(server.app.pipeline.accounting('default')).toMatchObject({ evaluated })
  })

  test('of another connector are other events', async () => {
    const [one, two] = [await createToken('elastic_bulk'), await createToken('splunk_hec')]
    for (const token of [one, two]) await send('/_bulk', { token, body: `{"create":{}}\n${precise}\n` })
    expect(server.app.pipeline.accounting('default')).toMatchObject({ evaluated: 2 })
  })
})

describe('handshakes of clients of Elasticsearch', () => {
  test.for<[method: string, path: string]>([
    ['GET', '/'], ['GET', '/_license'], ['GET', '/_xpack'], ['GET', '/_cluster/health?wait_for_status=yellow'], ['GET', '/_nodes/http'],
    ['GET', '/_ilm/policy/filebeat'], ['PUT', '/_ilm/policy/filebeat'], ['GET', '/_index_template/logs'], ['PUT', '/_template/logs'],
    ['PUT', '/_ingest/pipeline/logs'], ['GET', '/_data_stream/logs'], ['GET', '/_logstash/pipeline'],
  ])('%s %s', async ([method, path]) => {
    for (const prefix of ['', '/ingest/elastic']) {
      const accept = 'application/vnd.elasticsearch+json; compatible-with=9'
      const { status, headers } = await send(`${prefix}${path}`, { headers: { accept } }, method)
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'x-elastic-product': 'Elasticsearch', 'content-type': 'application/vnd.elasticsearch+json;compatible-with=9' })
    }
  })

  test('HEAD tells that a template exists', async () => {
    expect(await send('/_index_template/logs', {}, 'HEAD')).toMatchObject({ status: 200, body: undefined })
  })
})

test('OTLP in Protocol Buffers is answered in it, and its attributes are fields', async () => {
  const headers = { 'content-type': 'application/x-protobuf' }
  const { status, body } = await send('/ingest/otlp/v1/logs', { headers, body: protobufLogs([{ 'user.name': 'ada' }, { 'user.name': 'bob' }]) })
  expect({ status, body }).toEqual({ status: 200, body: undefined })
  const range = { from: '2025-11-20T09:00:00Z', to: '2025-11-20T11:00:00Z' }
  const { body: found } = await server.call('POST', '/v1/search', { body: { query: 'user.name:ada', ...range } })
  expect(found).toMatchObject({ total: 1 })
  expect(await send('/ingest/otlp/v1/logs', { headers, body: 'no protobuf' })).toMatchObject({ status: 400 })
})

test('what a body makes of shared attributes counts: one resource in very many records is refused', async () => {
  const key = 'x'.repeat(100_000)
  const resource = { attributes: [{ key: 'blob', value: { stringValue: key } }] }
  const body = { resourceLogs: [{ resource, scopeLogs: [{ logRecords: Array.from({ length: 1_000 }, () => ({})) }] }] }
  expect(await send('/ingest/otlp/v1/logs', { body })).toMatchObject({ status: 413, body: { message: expect.stringContaining('bytes; split it') } })
  expect(server.app.pipeline.accounting('default')).toMatchObject({ accepted: 0 })
})
