/**
 * Sends rules and queries that are made to be costly, and measures what other requests notice of it:
 *
 *     node bench/hostile-text.trial.ts [--seconds 8] [--data ../shared/data]
 *
 * A server runs all rules. Users of one tenant send hostile text as rule tests, new rules, other texts of a stored rule,
 * exceptions, backtests, searches and filters, four at a time and as fast as their rate limit allows; four users of another
 * tenant and a health check work beside them. Printed are, for each kind: the answers by status, the slowest refusal with
 * 400, the slowest health check, and the p99 of the other tenant's requests as a ratio to that while as many users send
 * harmless text as fast, before the attacks and after them. The bars: 1 s, 200 ms, 1.5. Exits with 1 beyond them.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openBenchFolder } from './bench-folder.ts'
import { openCorpus } from './open-corpus.ts'
import { createUserTokens } from './pipeline/listeners.ts'
import { computePercentile } from './pipeline/offer-load.ts'
import { probeRule } from './pipeline/probe-rule.ts'
import { startServerProcess } from './pipeline/server-process.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, data: { type: 'string', default: join('..', 'shared', 'data') } },
})
const attackMs = Number(values.seconds) * 1_000
const attackers = 4
/** A user may send ten requests a second. */
const pauseMs = 100
const bars = { refusedMs: 1_000, healthMs: 200, ratio: 1.5 }

type Attack = { readonly what: string; readonly method?: string; readonly path: string; readonly body?: object }

const rules = '/v1/detection/rules'
const stored = `${rules}/${probeRule.id}`
const query = (clauses: number): string => Array.from({ length: clauses }, (_, i) => `f${i}:*a${i}*b*`).join(' OR ')
const filterOf = (count: number): object => ({
  or: Array.from({ length: count }, (_, i) => ({ field: 'host', op: 'contains', value: `v${i}` })),
})
const literals = (i: number): string => `a${i}.*b[0-9]+c`

const exception = (count: number) => ({
  detection: { a: { 'CommandLine|re': list(count, literals) }, condition: 'not a' },
  reason: 'hostile', expires_at: new Date(Date.now() + 3_600_000).toISOString(),
})

const tested = (definition: string): object => ({ events: [{}], definition })

const attacks: readonly Attack[] = [
  { what: 'test: 20,000 regular expressions', path: `${rules}/new/test`, body: tested(ruleOf('re', 20_000, () => 'a+b')) },
  { what: 'test: nested repetitions', path: `${rules}/new/test`, body: tested(ruleOf('re', 1_000, nested)) },
  { what: 'test: within the budget', path: `${rules}/new/test`, body: tested(ruleOf('re', 1_900, literals)) },
  { what: 'new rule: nested repetitions', path: rules, body: { definition: ruleOf('re', 1_000, nested) } },
  { what: 'new rule: within the budget', path: rules, body: { definition: ruleOf('contains', 4_600, (i) => `value-${i}`) } },
  { what: 'other text: regular expressions', method: 'PUT', path: stored, body: { definition: ruleOf('re', 20_000, () => 'a+b') } },
  { what: 'exception: regular expressions', path: `${stored}/exceptions`, body: exception(1_900) },
  { what: 'backtest: within the budget', path: `${stored}/backtest`, body: { definition: ruleOf('re', 1_900, literals) } },
  { what: 'search: 400 wildcard clauses', path: '/v1/search', body: { query: query(400) } },
  { what: 'search: 60 wildcard clauses', path: '/v1/search', body: { query: query(60) } },
  { what: 'filter: 100 conditions', method: 'GET', path: `/v1/alerts?filters=${encodeURIComponent(JSON.stringify(filterOf(100)))}` },
]

const { folder, removeFolder } = openBenchFolder('hostile')
try {
  process.exitCode = await run() ? 0 : 1
} finally {
  removeFolder()
}

async function run(): Promise<boolean> {
  for (const { path = '', text } of [...openCorpus(values.data).sources, { path: 'probe.yml', text: probeRule.text }]) {
    mkdirSync(dirname(join(folder, 'rules', path)), { recursive: true })
    writeFileSync(join(folder, 'rules', path), text)
  }
  const server = await startServerProcess(join(folder, 'data'), join(folder, 'rules'))
  try {
    // A user may send 600 requests a minute, so each kind of attack has its own users.
    const tokens = await createUserTokens(join(folder, 'data'), 'hostile', attacks.length * attackers)
    const quiet = await createUserTokens(join(folder, 'data'), 'quiet', attackers)
    const harmless = await createUserTokens(join(folder, 'data'), 'harmless', 3 * attackers)
    const beHarmless = async (): Promise<Observed> => {
      const text = { what: '', path: `${rules}/new/test`, body: tested(probeRule.text) }
      return observe(server.origin, quiet, sendFor(server.origin, text, harmless.splice(0, attackers)))
    }
    await beHarmless()
    const before = await beHarmless()
    const outcomes: (Observed & Answers & { readonly what: string })[] = []
    for (const attack of attacks) {
      const sending = sendFor(server.origin, attack, tokens.splice(0, attackers))
      outcomes.push({ what: attack.what, ...await observe(server.origin, quiet, sending), ...await sending })
      await wait(1_000)
    }
    const after = await beHarmless()
    const harmlessP99Ms = computePercentile([...before.requestMs, ...after.requestMs], 99) ?? 0
    const healthMs = Math.max(before.healthMs, after.healthMs)
    printLine(`harmless text: p99 ${harmlessP99Ms.toFixed(1)} ms; health at most ${healthMs.toFixed(0)} ms`)
    let isWithin = true
    for (const { what, statuses, refusedMs, requestMs, healthMs } of outcomes) {
      const p99Ms = computePercentile(requestMs, 99) ?? 0
      const ratio = p99Ms / harmlessP99Ms
      const answers = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
      isWithin &&= refusedMs <= bars.refusedMs && healthMs <= bars.healthMs && ratio <= bars.ratio
      const others = `health at most ${healthMs.toFixed(0)} ms; p99 ${p99Ms.toFixed(1)} ms (${ratio.toFixed(2)})`
      printLine(`${what}: ${answers}; 400 after at most ${refusedMs.toFixed(0)} ms; ${others}`)
    }
    return isWithin
  } finally {
    await server.stop()
  }
}

type Answers = { readonly statuses: ReadonlyMap<number, number>; readonly refusedMs: number }

async function sendFor(origin: string, { method = 'POST', path, body }: Attack, tokens: readonly string[]): Promise<Answers> {
  const statuses = new Map<number, number>()
  let refusedMs = 0
  const endAt = performance.now() + attackMs
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  await Promise.all(tokens.map(async (token) => {
    while (performance.now() < endAt) {
      const startedAt = performance.now()
      const headers = { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' }
      const answered = await fetch(origin + path, { method, headers, ...text })
      await answered.arrayBuffer()
      statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1)
      if (answered.status === 400) refusedMs = Math.max(refusedMs, performance.now() - startedAt)
      await wait(pauseMs)
    }
  }))
  return { statuses, refusedMs }
}

type Observed = { readonly requestMs: readonly number[]; readonly healthMs: number }

/** Asks as consoles of a quiet tenant do, and for health, until something ends. */
async function observe(origin: string, tokens: readonly string[], until: Promise<unknown>): Promise<Observed> {
  const requestMs: number[] = []
  const healthMs: number[] = []
  let isOver = false
  const time = async (path: string, taken: number[], token = ''): Promise<void> => {
    const startedAt = performance.now()
    const answered = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } })
    await answered.arrayBuffer()
    if (!answered.ok) throw new Error(`${path} was answered ${answered.status}`)
    taken.push(performance.now() - startedAt)
  }
  const repeat = async (everyMs: number, work: () => Promise<void>): Promise<void> => {
    while (!isOver) await Promise.all([work(), wait(everyMs)])
  }
  const observing = Promise.all([
    ...tokens.map((token) => repeat(125, () => time('/v1/alerts?limit=50', requestMs, token))),
    repeat(20, () => time('/healthz', healthMs)),
  ])
  await until
  isOver = true
  await observing
  return { requestMs, healthMs: Math.max(...healthMs) }
}

function list(count: number, value: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => value(i))
}

function nested(i: number): string {
  return `(?:(?:a{1,10}b${i}){1,10}c){1,9}`
}

function ruleOf(modifier: string, count: number, value: (i: number) => string): string {
  const values = list(count, value).map((text) => `'${text}'`).join(', ')
  const detection = `detection:\n  a: { CommandLine|${modifier}: [${values}] }\n  condition: a\n`
  return `title: Hostile\nlogsource: { category: process_creation }\n${detection}`
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
