/**
 * Sends requests of many clients over HTTP for whole minutes, and counts what the plan of their tenant lets pass:
 *
 *     npm run trial:rate-limits -- [--clients 64] [--windows 3] [--plan mdr]
 *
 * Two keys share the plan, and each client sends its next request when it has the answer to the last. A minute that accepts
 * another number than the plan states is a failure, also a header that is not true: a limit or a reset of another minute, a
 * number of remaining requests that two answers have or that grows for a client, a wait that is not the rest of the minute.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBenchFolder } from './bench-folder.ts'
import { killServerProcesses, logIn, startServerProcess, waitForReady } from '../packages/server/test/server-process.ts'

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '64' }, windows: { type: 'string', default: '3' }, plan: { type: 'string', default: 'mdr' },
  },
})
const clientCount = Number(values.clients)
const windowCount = Number(values.windows)
const minuteMs = 60_000
/** Clients pause after a refusal, so that refused requests do not take the time of accepted ones. */
const pauseMs = 250

type Answer = {
  readonly status: number
  readonly limit: number
  readonly remaining: number
  readonly reset: number
  readonly retryAfter: number | undefined
  readonly askedAt: number
  readonly answeredAt: number
}

const { folder, removeFolder } = openBenchFolder('rate-limits')
try {
  await run()
} finally {
  killServerProcesses()
  removeFolder()
}

async function run(): Promise<void> {
  const served = startServerProcess(['--data-dir', join(folder, 'data'), '--listen', '127.0.0.1:0'])
  const { url } = await waitForReady(served)
  const headers = { ...await logIn(served, url), 'content-type': 'application/json' }
  const planned = await call(`${url}/v1/tenants/default`, { method: 'PATCH', headers, body: JSON.stringify({ plan: values.plan }) })
  const limit = { free: 60, mdr: 300, pro: 1_000 }[String(values.plan)] ?? Number(planned['api_requests_per_minute'])
  const keys: string[] = []
  for (const name of ['one', 'two']) {
    const { key } = await call(`${url}/v1/api-keys`, { method: 'POST', headers, body: JSON.stringify({ name, scope: 'read-only' }) })
    keys.push(String(key))
  }
  // Whole minutes alone are counted: it begins with the next one.
  const startsAt = (Math.floor(Date.now() / minuteMs) + 1) * minuteMs
  const endsAt = startsAt + windowCount * minuteMs
  await pause(startsAt - Date.now())
  const byClient = await Promise.all(Array.from({ length: clientCount }, async (_, client) => {
    const own: Answer[] = []
    while (Date.now() < endsAt) own.push(await ask(url, keys[client % keys.length] ?? ''))
    return own
  }))
  served.child.kill('SIGTERM')
  await served.exited
  report(byClient, { limit, startsAt })
}

async function call(url: string, request: RequestInit): Promise<{ readonly [name: string]: unknown }> {
  const answered = await fetch(url, request)
  if (!answered.ok) throw new Error(`${url}: ${answered.status} ${await answered.text()}`)
  return await answered.json() as { readonly [name: string]: unknown }
}

async function ask(url: string, key: string): Promise<Answer> {
  const askedAt = Date.now()
  const answered = await fetch(`${url}/api/v1/alerts/stats`, { headers: { authorization: `Bearer ${key}` } })
  await answered.arrayBuffer()
  const answeredAt = Date.now()
  const number = (name: string): number => Number(answered.headers.get(name))
  const retryAfter = answered.headers.get('retry-after')
  if (answered.status === 429) await pause(pauseMs)
  return {
    status: answered.status, limit: number('x-ratelimit-limit'), remaining: number('x-ratelimit-remaining'),
    reset: number('x-ratelimit-reset'), askedAt, answeredAt,
    retryAfter: retryAfter === null ? undefined : Number(retryAfter),
  }
}

type Expected = { readonly limit: number; readonly startsAt: number }

function report(byClient: readonly (readonly Answer[])[], { limit, startsAt }: Expected): void {
  const all = byClient.flat()
  print(['minute', 'accepted', 'refused', 'plan', 'untrue headers'])
  for (let window = 0; window < windowCount; window++) {
    const endsAt = startsAt + (window + 1) * minuteMs
    const own = all.filter(({ reset }) => reset * 1_000 === endsAt)
    const accepted = own.filter(({ status }) => status === 200)
    const remaining = new Set(accepted.map((answer) => answer.remaining))
    const untrueCount = own.filter((answer) => !isTrue(answer, limit)).length + accepted.length - remaining.size
      + byClient.filter((answers) => grows(answers.filter(({ reset }) => reset * 1_000 === endsAt))).length
    print([String(window + 1), String(accepted.length), String(own.length - accepted.length), String(limit), String(untrueCount)])
    if (accepted.length !== limit || untrueCount > 0) process.exitCode = 1
  }
  const known = all.filter(({ reset }) => reset * 1_000 > startsAt && reset * 1_000 <= startsAt + (windowCount + 1) * minuteMs)
  const strayCount = all.length - known.length
  const stray = `${strayCount} with the reset of a minute in which nothing was asked`
  process.stdout.write(`\n${byClient.length} clients, ${all.length} answers, ${stray}.\n`)
  if (strayCount > 0) process.exitCode = 1
}

/** Whether the headers of an answer are those of the minute in which it was counted, between its request and its end. */
function isTrue({ status, limit: stated, remaining, reset, retryAfter, askedAt, answeredAt }: Answer, limit: number): boolean {
  const endsAt = reset * 1_000
  const isOfItsMinute = endsAt > askedAt && endsAt - minuteMs <= answeredAt
  const waitsMs = (retryAfter ?? 0) * 1_000
  const isWaitTrue = status !== 429 || (waitsMs > endsAt - answeredAt - 1_000 && waitsMs < endsAt - askedAt + 1_000)
  const isRefusalTrue = (status === 429) === (retryAfter !== undefined) && (status === 200 || remaining === 0)
  return stated === limit && isOfItsMinute && isWaitTrue && isRefusalTrue
}

function grows(answers: readonly Answer[]): boolean {
  return answers.some(({ remaining }, i) => i > 0 && remaining > (answers[i - 1]?.remaining ?? 0))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function print(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}
