/**
 * The latency of every operation of the three OpenAPI documents over HTTP, beside a load:
 *
 *     node bench/operations.bench.ts --data-dir <folder> [--rounds 10] [--rate 2000] [--documents console,a,b]
 *
 * The folder is one that `alerts.bench.ts --data-dir` filled. Each operation is sent as its document says: with the example of
 * its body, and the ids of entries that there are; what is created is what is deleted. Prints p50 and p95, and those that
 * could not be measured, with the reason. Of a file that is streamed, such as an export, the first bytes count.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isJsonObject } from '../packages/common/src/json.ts'
import { computePercentile, offerLoad } from './pipeline/offer-load.ts'
import { startServerProcess } from './pipeline/server-process.ts'
import type { Credentials } from './pipeline/server-process.ts'

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' }, 'rounds': { type: 'string', default: '10' }, 'rate': { type: 'string', default: '2000' },
    'documents': { type: 'string', default: 'console,a,b' },
  },
})
const folder = values['data-dir']
if (folder === undefined) throw new Error('--data-dir must name a folder that alerts.bench.ts filled')
const rounds = Number(values.rounds)
const eventsPerSecond = Number(values.rate)
const boundMs = 200
const documents = values.documents.split(',')

type Operation = { readonly method: string; readonly path: string; readonly body: unknown }
type Caller = { readonly title: string; readonly headers: { readonly [name: string]: string } }
type Sent = { readonly status: number; readonly body: unknown; readonly ms: number }

/** Operations that would end the measuring: those that log out, or change who may call. */
const unsent = /^\/v1\/(auth|me|users|api-keys|settings|tenants|ws)\b|^\/ws\b|\/rotate/

/** Operations whose answers are files of any length. */
const streamed = /\/exports?\//

/** What is created is there when it is read and changed, and is deleted last. */
const methodOrder = ['post', 'get', 'put', 'patch', 'delete']

/** Parts of paths that no list of the path before them has. */
const knownParts: { readonly [name: string]: string } = { '{framework}': 'iso27001' }

const server = await startServerProcess(join(folder, 'data'), join(folder, 'rules'), {
  credentials: JSON.parse(readFileSync(join(folder, 'login.json'), 'utf8')) as Credentials,
  // Webhooks link to the console, and the examples of their bodies name hosts that there are not.
  serveOptions: ['--public-url', 'https://tripline.example'],
})
const load = new AbortController()
try {
  const offered = eventsPerSecond === 0 ? undefined : offerLoad({
    origin: server.origin, token: server.token, batches: createBatches(load.signal), eventsPerSecond, senders: 4,
  })
  const user = { authorization: `Bearer ${server.token}` }
  if (documents.includes('console')) await measureDocument({ title: 'console', headers: user }, '/v1/openapi.json')
  for (const profile of documents.filter((name) => name !== 'console')) {
    const name = `operations ${profile} ${Date.now()}`
    const created = await send('post', '/v1/api-keys', { headers: user, body: { name, scope: 'read-write', api_profile: profile } })
    const key = isJsonObject(created.body) ? String(created.body['key']) : ''
    const caller = { title: profile.toUpperCase(), headers: { authorization: `Bearer ${key}` } }
    await measureDocument(caller, `/api/v1/openapi.json?profile=${profile}`)
  }
  load.abort()
  const outcome = await offered
  if (outcome !== undefined) {
    const rate = outcome.acceptedCount / (outcome.wallMs / 1_000)
    printLine(`\nMeanwhile ${rate.toFixed(0)} events a second were accepted.`)
  }
} finally {
  load.abort()
  await server.stop()
}

async function measureDocument(caller: Caller, documentPath: string): Promise<void> {
  const document = (await send('get', documentPath, caller)).body
  const operations = listOperations(document)
  printLine(`\n| ${caller.title} | requests | p50 | p95 |\n| --- | --- | --- | --- |`)
  const created = new Map<string, string[]>()
  let [measuredCount, missedCount] = [0, 0]
  const unmeasured: string[] = []
  for (const operation of operations) {
    const name = `${operation.method.toUpperCase()} ${operation.path}`
    const taken = unsent.test(operation.path) ? 'changes who may call' : await measure(caller, operation, created)
    if (typeof taken === 'string') {
      unmeasured.push(`${name}: ${taken}`)
      continue
    }
    measuredCount++
    const p95 = computePercentile(taken, 95) ?? 0
    if (p95 >= boundMs) missedCount++
    printLine(`| ${name} | ${taken.length} | ${(computePercentile(taken, 50) ?? 0).toFixed(1)} ms | ${p95.toFixed(1)} ms |`)
  }
  const missed = `${missedCount} with a p95 of ${boundMs} ms or more`
  printLine(`\n${measuredCount} of ${operations.length} operations measured, ${missed}. Not measured:\n`)
  for (const each of unmeasured) printLine(`- ${each}`)
}

/** The milliseconds of the requests that succeeded, or why there are none. */
async function measure(caller: Caller, { method, path, body }: Operation, created: Map<string, string[]>): Promise<number[] | string> {
  const taken: number[] = []
  let problem = 'has no entry'
  const collection = path.replace(/\/\{[^{}]+\}$/, '')
  for (let round = 0; round < rounds; round++) {
    const url = await fillPath(caller, { method, path, collection }, created)
    if (url === undefined) break
    const own = body === undefined ? {} : { body: makeUnique(body, `${caller.title} ${round}`) }
    const answered = await send(method, url, { ...caller, ...own })
    if (answered.status >= 400) {
      problem = `answered ${answered.status} ${JSON.stringify(answered.body)?.slice(0, 120) ?? ''}`
      break
    }
    taken.push(answered.ms)
    const id = method === 'post' && isJsonObject(answered.body) ? answered.body['id'] : undefined
    if (typeof id === 'string') created.set(path, [...created.get(path) ?? [], id])
  }
  return taken.length === 0 ? problem : taken
}

type Place = { readonly method: string; readonly path: string; readonly collection: string }

/** Fills the names of a path with ids of entries; only what was created here is deleted. */
async function fillPath(caller: Caller, { method, path, collection }: Place, created: Map<string, string[]>): Promise<string | undefined> {
  if (method === 'delete') {
    const id = created.get(collection)?.pop()
    return id === undefined || collection.includes('{') ? undefined : `${collection}/${id}`
  }
  let filled = path.replaceAll(/\{\w+\}/g, (part) => knownParts[part] ?? part)
  for (let at = filled.indexOf('{'); at >= 0; at = filled.indexOf('{')) {
    const before = filled.slice(0, at - 1)
    const own = created.get(before)?.at(-1)
    const id = own ?? findId((await send('get', before, caller)).body)
    if (id === undefined) return undefined
    filled = `${before}/${encodeURIComponent(id)}${filled.slice(filled.indexOf('}') + 1)}`
  }
  return filled
}

/** The id of the first entry of a list, however it is wrapped. */
function findId(body: unknown): string | undefined {
  const wrapped = isJsonObject(body) ? Object.values(body).find((value) => Array.isArray(value)) : undefined
  const list: unknown = Array.isArray(body) ? body : wrapped
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const id = isJsonObject(first) ? first['id'] : undefined
  return typeof id === 'string' ? id : undefined
}

/** Names must be unique in a tenant. */
function makeUnique(body: unknown, suffix: string): unknown {
  return isJsonObject(body) && typeof body['name'] === 'string' ? { ...body, name: `${body['name']} ${suffix} ${Date.now()}` } : body
}

function listOperations(document: unknown): readonly Operation[] {
  const paths = isJsonObject(document) && isJsonObject(document['paths']) ? document['paths'] : {}
  const operations = Object.entries(paths).flatMap(([path, methods]) => {
    const described = Object.entries(isJsonObject(methods) ? methods : {})
    return described.map(([method, operation]) => ({ method, path, body: findExample(operation) }))
  })
  const rank = ({ method }: Operation): number => methodOrder.indexOf(method)
  return operations.filter((operation) => rank(operation) >= 0).toSorted((one, other) => rank(one) - rank(other))
}

/** The executed example of the body of an operation. */
function findExample(operation: unknown): unknown {
  const steps = ['requestBody', 'content', 'application/json', 'examples', 'executed', 'value']
  return steps.reduce<unknown>((value, step) => (isJsonObject(value) ? value[step] : undefined), operation)
}

type Asked = { readonly headers: Caller['headers']; readonly body?: unknown }

/** Sends a request; one that is limited is sent again, and the waiting does not count. */
async function send(method: string, path: string, { headers, body }: Asked): Promise<Sent> {
  for (;;) {
    const askedAt = performance.now()
    const answered = await fetch(`${server.origin}${path}`, {
      method: method.toUpperCase(),
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const isFile = answered.ok && streamed.test(path)
    const text = isFile ? await readFirstBytes(answered) : await answered.text()
    const ms = performance.now() - askedAt
    // One export runs at a time for a key, and one that was left ends a moment later.
    const mustWait = answered.status === 429 || (answered.status === 409 && streamed.test(path))
    if (!mustWait) return { status: answered.status, body: isFile ? undefined : parse(text), ms }
    await new Promise((resolve) => setTimeout(resolve, Number(answered.headers.get('retry-after') ?? 1) * 1_000))
  }
}

/** The first bytes of a file; the rest is not sent. */
async function readFirstBytes(answered: Response): Promise<string> {
  const reader = answered.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return String(first?.value?.length ?? 0)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Pages, metrics and files are no JSON.
    return undefined
  }
}

/** Batches of events that match no rule, until the signal. */
function* createBatches(signal: AbortSignal): Generator<{ readonly body: Buffer; readonly count: number }> {
  const count = 100
  for (let n = 0; !signal.aborted; n += count) {
    const lines = Array.from({ length: count }, (_, i) => JSON.stringify({
      EventID: 1, Computer: `host-${(n + i) % 2_000}`, CommandLine: `svchost.exe -s ${n + i}`,
    }))
    yield { body: Buffer.from(`${lines.join('\n')}\n`), count }
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
