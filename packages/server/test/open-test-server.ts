import type { RuleSource } from '@tripline/engine'
import { createHttp } from '../src/api/http.ts'
import type { Readiness } from '../src/api/health.ts'
import { openApp } from '../src/app/open-app.ts'
import type { Io } from '../src/io.ts'
import { createLog } from '../src/log.ts'

/** An answer as tests look at it. */
export type Answer = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** The parsed body; undefined where there is none. */
  readonly body: unknown
}

export type Call = {
  readonly headers?: { readonly [name: string]: string }
  /** Texts, bytes and streams are sent as they are, anything else as JSON with its content type. */
  readonly body?: unknown
}

export type TestServer = {
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>
  readonly io: TestIo
  readonly readiness: Readiness
  /** Looks at windows that end without events, as the server does every second. */
  readonly tick: () => Promise<void>
}

/** A world of its own: a clock that is moved by hand, random bytes that count, a log that is kept. */
export type TestIo = Omit<Io, 'randomBytes'> & { nowMs: number; randomBytes: Io['randomBytes']; readonly logLines: string[]; readonly printedLines: string[] }

export function createTestIo(): TestIo {
  let randomCount = 0
  const io: TestIo = {
    nowMs: Date.UTC(2026, 10, 20, 10),
    logLines: [],
    printedLines: [],
    printLine: (line) => void io.printedLines.push(line),
    logLine: (line) => void io.logLines.push(line),
    now: () => io.nowMs,
    elapsedMs: () => 0,
    randomBytes: (count) => new Uint8Array(count).fill(randomCount++),
    environment: {},
    readText: () => Promise.reject(new Error('a test server reads no file')),
    untilToldToStop: () => new Promise(() => {}),
    processId: 1,
  }
  return io
}

/** Opens everything but the socket: requests go straight into the HTTP face. */
export async function openTestServer(rules: readonly string[], { isSameMachineOnly = false } = {}): Promise<TestServer> {
  const io = createTestIo()
  const log = createLog(io)
  const sources: RuleSource[] = rules.map((text, index) => ({ path: `rule-${index}.yml`, text }))
  const readiness: Readiness = { state: 'ready' }
  const app = await openApp(sources, { io, log })
  const http = createHttp({ app, io, log, readiness, isSameMachineOnly })
  return {
    io,
    readiness,
    async tick() {
      for (const { detection } of app.streams.values()) await detection.tick(io.now())
    },
    async call(method, path, { headers = {}, body } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
      const url = path.startsWith('http') ? path : `http://127.0.0.1${path}`
      const response = await http.request(url, {
        method,
        headers: isRaw || body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body), duplex: 'half' }),
      })
      const text = await response.text()
      const parsed: unknown = text === '' ? undefined : JSON.parse(text)
      return { status: response.status, headers: Object.fromEntries(response.headers), body: parsed }
    },
  }
}
