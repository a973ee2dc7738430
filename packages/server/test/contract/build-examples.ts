import type { ErrorCode } from '@tripline/contract/errors'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import type { AnswerExample, ApiExamples, OperationExample } from '../../src/http/openapi/example-types.ts'
import { toOperationId } from '../../src/http/openapi.ts'
import type { Route } from '../../src/http/route.ts'
import { limits } from '../../src/limits.ts'
import { openTestServer, scrapeToken } from '../open-test-server.ts'
import type { Call, TestResponse } from '../open-test-server.ts'
import { ExampleNormalizer } from './normalize-example.ts'
import { openSampleWorld } from './sample-world.ts'
import type { SampleWorld } from './sample-world.ts'
import { makeSample, sampleRuleId } from './samples.ts'

/** Sends one request of each operation, and one for each error code, and returns what was sent and answered. */
export async function buildExamples(): Promise<ApiExamples> {
  const errors = await runErrorSamples()
  const world = await openSampleWorld()
  const operations: { [operationId: string]: OperationExample } = {}
  for (const route of world.server.routes) operations[toOperationId(route)] = await runSample(world, route)
  return { operations, errors }
}

/** Entries of each list of a report, and lines of the metrics, that an example shows. */
const [listedMax, metricLinesMax] = [2, 12]

/** The operation whose answer would repeat the document. */
const unshown = 'getOpenapiJson'

/** Answers of another status or type than the sample of the operation has. */
const otherAnswers: { readonly [route: string]: (world: SampleWorld) => Promise<AnswerExample> } = {
  async 'GET /readyz'({ server }) {
    const { state } = server.readiness
    server.readiness.state = 'full'
    const { status, body } = await server.call('GET', '/readyz')
    server.readiness.state = state
    return { path: '/readyz', status, response: body }
  },
  async 'GET /metrics'({ server }) {
    const { status, body } = await server.call('GET', '/metrics', { token: scrapeToken })
    return { path: '/metrics', status, type: 'text/plain', response: cutMetrics(String(body)) }
  },
  'GET /v1/compliance/:framework/report': (world) => readAsJson(world, '/v1/compliance/iso27001/report?format=json'),
  'GET /v1/reports/:id/preview': (world) => readAsJson(world, '/v1/reports/known-1/preview?format=json'),
  'GET /v1/reports/:id/file': (world) => readAsJson(world, '/v1/reports/known-1/file?format=json'),
}

async function readAsJson({ server }: SampleWorld, path: string): Promise<AnswerExample> {
  const { status, body } = await server.call('GET', path)
  if (typeof body !== 'object') throw new Error(`${path} answered ${status} without JSON`)
  return { path, status, response: shorten(new ExampleNormalizer().normalize(body)) }
}

/** The first entries of each list: whole reports would be most of the document. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, listedMax).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]))
}

/** The first families of metrics, without values that differ from run to run. */
function cutMetrics(text: string): string {
  const lines = text.split('\n').slice(0, metricLinesMax)
  return `${lines.map((line) => (line.startsWith('#') ? line : line.replace(/ \S+$/, ' 0'))).join('\n')}\n`
}

async function runSample(world: SampleWorld, route: Route): Promise<OperationExample> {
  const { path = route.path, roles, status: expected, ...asked } = await makeSample(world, route)
  const call = { ...asked, ...(roles && { token: await world.server.tokenOf(roles) }) }
  const { status, body } = await world.server.call(route.method, path, call)
  if (status !== expected) throw new Error(`${route.method} ${path} answered ${status}, not ${expected}`)
  const { normalize } = new ExampleNormalizer()
  const shown = body === undefined || route.responseType !== undefined || toOperationId(route) === unshown ? {} : { response: normalize(body) }
  const sent = asked.body === undefined ? {} : { body: normalize(asked.body) }
  const others = await otherAnswers[`${route.method} ${route.path}`]?.(world)
  return { path: String(normalize(path)), ...sent, status, ...shown, ...(others && { others: [others] }) }
}

type ErrorSample = {
  readonly method: string
  readonly path: string
  readonly call?: Call
  /** What makes the request fail. */
  readonly prepare?: (world: SampleWorld) => void | Promise<void>
}

const rulesPath = '/v1/detection/rules'
const ownRule = 'title: Ours\nlogsource: { product: app }\ndetection: { s: { a: 1 }, condition: s }\n'
const wrongLogin = { token: null, body: { email: 'ann@example.org', password: 'a wrong password' } }

/** A request for each error code; one that breaks the server comes last. */
const errorSamples: { readonly [Code in ErrorCode]: ErrorSample } = {
  INVALID_BODY: { method: 'PUT', path: '/v1/connectors/p1', call: { body: { enabled: 'yes' } } },
  INVALID_CURSOR: { method: 'GET', path: '/v1/alerts?cursor=x' },
  INVALID_PARAMETER: { method: 'GET', path: '/v1/alerts?severity=hihg' },
  INVALID_QUERY: { method: 'POST', path: '/v1/search', call: { body: { query: 'user:alice AND (' } } },
  INVALID_QUERY_FIELD: { method: 'GET', path: '/v1/alerts?sort=colour:desc' },
  INVALID_RULE: { method: 'POST', path: rulesPath, call: { body: { definition: `${ownRule}taxonomy: ecs\n` } } },
  RULE_TEST_FAILED: { method: 'POST', path: rulesPath, call: { body: { definition: `${ownRule}tests: [{ event: { a: 2 }, match: true }]\n` } } },
  UNAUTHORIZED: { method: 'GET', path: '/v1/alerts', call: { token: null } },
  FORBIDDEN: { method: 'GET', path: '/v1/tenants' },
  NOT_FOUND: { method: 'GET', path: `${rulesPath}/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0009` },
  METHOD_NOT_ALLOWED: { method: 'DELETE', path: '/v1/alerts' },
  CONFLICT: { method: 'POST', path: '/v1/connectors', call: { body: { name: 'p1', type: 'http_ndjson', config: {} } } },
  PRECONDITION_FAILED: {
    method: 'PUT', path: `${rulesPath}/${sampleRuleId}`, call: { body: { enabled: false }, headers: { 'if-match': '"7"' } },
  },
  PAYLOAD_TOO_LARGE: { method: 'POST', path: '/v1/search', call: { body: { query: 'x'.repeat(limits.request.bodyBytesMax) } } },
  UNSUPPORTED_MEDIA_TYPE: { method: 'POST', path: '/v1/search', call: { body: 'user:alice' } },
  RATE_LIMITED: {
    method: 'POST', path: '/v1/auth/login', call: wrongLogin,
    async prepare({ server }) {
      for (let i = 0; i < limits.rate.loginsPerAccountMax; i++) await server.call('POST', '/v1/auth/login', wrongLogin)
    },
  },
  REQUEST_TIMEOUT: { method: 'POST', path: '/ingest/v1/events' },
  OUTCOME_UNKNOWN: { method: 'POST', path: '/ingest/v1/events', call: { body: [{ user: 'alice' }] } },
  UNAVAILABLE: {
    method: 'POST', path: '/v1/search', call: { body: { query: 'user:alice' } },
    prepare: ({ server }) => server.bodies.reserve(limits.request.bodiesHeldBytesMax),
  },
  INTERNAL_ERROR: {
    method: 'GET', path: '/readyz',
    prepare({ server }) {
      Object.defineProperty(server.readiness, 'state', { get: () => { throw new Error('planted') } })
    },
  },
}

async function runErrorSamples(): Promise<ApiExamples['errors']> {
  const world = await openSampleWorld()
  const examples: { [Code in ErrorCode]?: { readonly request: string; readonly response: unknown } } = {}
  for (const code of Object.keys(errorSamples) as ErrorCode[]) {
    const { method, path, call, prepare } = errorSamples[code]
    await prepare?.(world)
    const send = { OUTCOME_UNKNOWN: sendToFailingDisk, REQUEST_TIMEOUT: sendSlowly }[code as string] ?? world.server.call
    const { body } = await send(method, path, call)
    if (!JSON.stringify(body).includes(`"${code}"`)) throw new Error(`${method} ${path} did not answer ${code}: ${JSON.stringify(body)}`)
    examples[code] = { request: `${method} ${path}`, response: new ExampleNormalizer().normalize(body) }
  }
  return examples
}

/** Sends the begin of a body, after which the time passes in which the rest must arrive. */
async function sendSlowly(method: string, path: string): Promise<TestResponse> {
  const server = await openTestServer([])
  const elapsedMs = performance.now.bind(performance)
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('[')),
    pull: () => void (performance.now = () => elapsedMs() + limits.request.bodyIdleMs),
  })
  // What waits for the body keeps no process alive.
  const waiting = setInterval(() => {}, limits.request.bodyIdleMs)
  try {
    return await server.call(method, path, { body })
  } finally {
    clearInterval(waiting)
    performance.now = elapsedMs
  }
}

/** Sends events to a server whose disk fails while it writes them. */
async function sendToFailingDisk(method: string, path: string, call: Call | undefined): Promise<TestResponse> {
  const faults = { isFailing: false }
  const disk = new SimulatedDisk({ faultAt: () => (faults.isFailing ? 'failedSync' : undefined) })
  const server = await openTestServer([], { disk, pipeline: { checkpointMs: 0, onFailure: () => {} }, isPatient: false })
  faults.isFailing = true
  return await server.call(method, path, call)
}
