import { splitMessage } from '@tripline/formats/json/find-page'
import { changeBytes, changes } from '@tripline/formats/test/change-bytes'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeLine, lineFormats } from '../src/lines/decode-line.ts'
import type { LineFormat } from '../src/lines/decode-line.ts'
import { PollError } from '../src/polling/poll-error.ts'
import { readPolledPage } from '../src/polling/read-page.ts'
import { createMemoryDefinitions } from '../src/scanner/definitions.ts'
import { readScannerEvent } from '../src/scanner/from-events.ts'
import { runScanner } from '../src/scanner/run-scanner.ts'
import { ScannerError } from '../src/scanner/scanner-client.ts'
import { collectedKinds, scannerDialects } from '../src/scanner/scanner-settings.ts'
import type { ScannerDialect } from '../src/scanner/scanner-settings.ts'
import { toScannerEvents } from '../src/scanner/to-events.ts'
import { MockScanner } from './mock-scanner.ts'
import { addresses } from './run-interrupted.ts'
import { createRandom, ScannerWorld } from './scanner-world.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 7)
const isFull = process.env['TRIPLINE_FULL'] === '1'

/** Lines as files and networks hold them, which the generator changes. */
const captures = [
  '{"@timestamp":"2026-11-20T10:00:00Z","message":"a","_logsource":{"product":"linux"},"log":{"x":1},"n":12345678901234567890}',
  '<34>1 2026-11-20T10:00:00Z h sshd 1 - [a b="c"] hello',
  'Nov 20 09:00:00 web-1 sshd[7]: Failed password for root from 203.0.113.9 port 1 ssh2',
  'type=SYSCALL msg=audit(1763632800.123:42): arch=c000003e exe="/usr/bin/id" proctitle=2F62696E',
  '<13>CEF:0|a|b|c|d|e|5|src=203.0.113.9 msg=x\\=y',
].map((text) => Buffer.from(text))
const line = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(fc.constantFrom(...captures), changes).map(([capture, made]) => changeBytes(capture, made)),
)

describe(`changed lines and random bytes are events or problems (TRIPLINE_SEED=${seed})`, () => {
  test.for(lineFormats)('%s', (format: LineFormat) => {
    const options = { format, logsource: { product: 'linux' }, receivedAt: 1_763_632_800_000, path: '/var/log/x', hostname: 'here' }
    fc.assert(fc.property(line, (bytes) => {
      const decoded = decodeLine(bytes, options)
      if ('problem' in decoded) expect(decoded.problem).not.toBe('')
      else {
        // An event is one line: a spool and a request hold several.
        expect(Buffer.from(decoded.bytes).includes(0x0a)).toBe(false)
        expect(JSON.parse(Buffer.from(decoded.bytes).toString('utf8'))).toBeTypeOf('object')
      }
    }), { seed, numRuns: isFull ? 20_000 : 2_000 })
  })
})

/** Pages of an HTTP API, and messages of brokers that are pages. */
const pages = [
  '{"data":[{"a":1,"t":"2026-11-20T10:00:00Z"},{"b":[null,{"c":"\\u00e9"}]}],"meta":{"next":"abc"}}',
  '{"Records":[{"eventName":"CreateUser"},{"eventName":"x"}]}', '[{"a":1},{"a":1}]\n', '{"a":1}\n{"a":2}\n', '{"data":[],"meta":{"next":null}}',
].map((text) => Buffer.from(text))
const page = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(fc.constantFrom(...pages), changes).map(([capture, made]) => changeBytes(capture, made)),
)

describe(`changed pages and random bytes are events or a problem (TRIPLINE_SEED=${seed})`, () => {
  const target = { url: new URL('https://api.example/'), client: undefined, tokenUrl: undefined, cursorPath: ['meta', 'next'], intervalMs: 1 }
  test.for([[['data']], [[]]])('polled, with events at %j', ([itemsPath = []]) => {
    fc.assert(fc.property(page, (bytes) => {
      try {
        const { events, cursor } = readPolledPage(bytes, { ...target, itemsPath }, 's')
        for (const event of events) expect(JSON.parse(Buffer.from(event.bytes).toString('utf8'))).toBeTypeOf('object')
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
        expect(cursor).not.toBe('')
      } catch (error) {
        expect(error).toBeInstanceOf(PollError)
      }
    }), { seed, numRuns: isFull ? 20_000 : 2_000 })
  })

  test('of a broker', () => {
    fc.assert(fc.property(page, (bytes) => {
      expect(splitMessage(bytes).reduce((sum, piece) => sum + piece.length, 0)).toBeLessThanOrEqual(bytes.length)
    }), { seed, numRuns: isFull ? 20_000 : 2_000 })
  })
})

/** What stands where a scanner's answer should have something else. */
const strangeValue = fc.constantFrom<unknown[]>(
  null, -1, 0, 1e308, true, '', 'x'.repeat(5_000), '2026-13-45T99:99:99Z', [], [null], [[[]]], {}, { data: null }, { constructor: 1 }, '__proto__',
)
const strange = fc.record({ at: fc.nat(), value: strangeValue })

/** A parsed answer with the value at one place, counted through all of it, replaced. */
function replaceValue(answer: unknown, { at, value }: { readonly at: number; readonly value: unknown }): unknown {
  let count = 0
  JSON.stringify(answer, (_, one: unknown) => (count++, one))
  let left = at % count
  return JSON.parse(JSON.stringify(answer, (_, one: unknown) => (left-- === 0 ? value : one)) ?? 'null')
}

test(`an event of a scanner with strange values is a record or nothing (TRIPLINE_SEED=${seed})`, async () => {
  const random = createRandom(seed)
  const world = new ScannerWorld({ assetCount: 12, random, nowMs: Date.UTC(2026, 10, 20, 9) })
  const settings = { apiUrl: addresses.v4, apiKey: 'key', dialect: 'v4', collect: collectedKinds } as const
  const mock = new MockScanner({ world, random })
  const outside = { request: mock.request.bind(mock), sleep: async () => {}, now: () => world.nowMs, definitions: createMemoryDefinitions() }
  const texts: string[] = []
  for await (const { records, runAt } of runScanner(settings, {}, outside)) {
    texts.push(...records.flatMap((record) => toScannerEvents(record, settings, { source: 's', at: runAt, runAt })).map(({ text }) => text))
  }
  const readAll = texts.map((text) => readScannerEvent(text, world.nowMs)?.record.kind)
  expect(new Set(readAll)).toEqual(new Set(['asset', 'findings', 'open', 'run', 'exploit']))
  fc.assert(fc.property(fc.constantFrom(...texts), strange, changes, fc.boolean(), (text, value, made, isBytes) => {
    const changed = isBytes ? changeBytes(Buffer.from(text), made).toString('utf8') : JSON.stringify(replaceValue(JSON.parse(text), value))
    const scan = readScannerEvent(changed, world.nowMs)
    if (scan !== undefined) expect(JSON.parse(JSON.stringify(scan))).toMatchObject({ source: expect.stringMatching(/./), runAt: expect.any(Number) })
  }), { seed, numRuns: isFull ? 50_000 : 2_000 })
})

describe(`a scanner that answers anything ends a run, or fails it (TRIPLINE_SEED=${seed})`, () => {
  test.for(scannerDialects)('%s', async (dialect: ScannerDialect) => {
    const disturbance = fc.record({ request: fc.nat({ max: 12 }), bytes: fc.option(changes), value: strange })
    await fc.assert(fc.asyncProperty(fc.array(disturbance, { minLength: 1, maxLength: 3 }), async (disturbances) => {
      const random = createRandom(seed)
      const world = new ScannerWorld({ assetCount: 12, random, nowMs: Date.UTC(2026, 10, 20, 9) })
      const mock = new MockScanner({ world, random, fileRows: 5 })
      let requestCount = 0
      const request: typeof mock.request = async (asked) => {
        const answer = await mock.request(asked)
        const due = disturbances.find((one) => one.request === requestCount)
        requestCount++
        if (due === undefined) return answer
        const isJson = Buffer.from(answer.body.subarray(0, 1)).toString() === '{'
        const body = due.bytes !== null || !isJson
          ? changeBytes(Buffer.from(answer.body), due.bytes ?? [{ kind: 'set', at: due.value.at, byte: due.value.at % 256 }])
          : Buffer.from(JSON.stringify(replaceValue(JSON.parse(Buffer.from(answer.body).toString()), due.value)))
        return { ...answer, body }
      }
      const settings = { apiUrl: addresses[dialect], apiKey: dialect === 'v3' ? 'user:secret' : 'key', dialect, collect: collectedKinds }
      const deps = { request, sleep: async () => {}, now: () => world.nowMs, definitions: createMemoryDefinitions() }
      let batchCount = 0
      try {
        for await (const { records, state } of runScanner(settings, {}, deps)) {
          batchCount++
          // What is stored is JSON, and so are the records.
          expect(JSON.parse(JSON.stringify(state))).toEqual(state)
          JSON.stringify(records)
          expect(requestCount).toBeLessThan(500)
          if (batchCount > 500) throw new Error('a run of 12 assets does not end')
        }
      } catch (error) {
        if (!(error instanceof ScannerError)) throw error
        expect(error.message).not.toBe('')
      }
    }), { seed, numRuns: isFull ? 5_000 : 60 })
  })
})
