/**
 * The list of alerts over HTTP, with very many of them:
 *
 *     node bench/alerts.bench.ts [--alerts 1000000] [--rounds 20] [--rate 0] [--data-dir <folder>]
 *
 * A tenant gets alerts over thirty days, written to the database as they would stand there. Prints the milliseconds of
 * requests as a console makes them, p50, p95 and the first one, from a server that was just started on them, and the processor
 * time of the server for each request, which other work on the machine hardly changes (with `--rate` it includes the events).
 * With `--rate` as many events a second are sent meanwhile. With `--data-dir` the alerts stay there, and a second run begins
 * with them.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBenchFolder } from './bench-folder.ts'
import { computePercentile, offerLoad } from './pipeline/offer-load.ts'
import { probeRule } from './pipeline/probe-rule.ts'
import { startServerProcess } from './pipeline/server-process.ts'
import type { Credentials, ServerProcess } from './pipeline/server-process.ts'

const { values } = parseArgs({
  options: {
    'alerts': { type: 'string', default: '1000000' }, 'rounds': { type: 'string', default: '20' }, 'rate': { type: 'string', default: '0' },
    'data-dir': { type: 'string' },
  },
})
const alertCount = Number(values.alerts)
const rounds = Number(values.rounds)
const eventsPerSecond = Number(values.rate)
const dayMs = 86_400_000

const printFilters = (filter: object): string => `filters=${encodeURIComponent(JSON.stringify(filter))}`
const createdWithin = (days: number) => ({ field: 'created_at', op: 'gte', value: new Date(Date.now() - days * dayMs).toISOString() })

const requests: readonly (readonly [title: string, query: string])[] = [
  ['newest 50', 'limit=50'],
  ['newest 50 of 30 days', `limit=50&${printFilters(createdWithin(30))}`],
  ['newest 50 of a severity', `limit=50&${printFilters({ field: 'severity', op: 'eq', value: 'high' })}`],
  ['open ones of a severity', `limit=50&${printFilters({ and: [equals('status', 'open'), equals('severity', 'high')] })}`],
  ['of one rule in 30 days', `limit=50&${printFilters({ and: [equals('rule_id', 'rule-17'), createdWithin(30)] })}`],
  ['of one host in 30 days', `limit=50&${printFilters({ and: [equals('host', 'host-17'), createdWithin(30)] })}`],
  ['of a host that is rare', `limit=50&${printFilters(equals('host', 'rare-host'))}`],
  ['of a host that there is not', `limit=50&${printFilters(equals('host', 'no-such-host'))}`],
  ['text that many have', 'limit=50&q=host-17'],
  ['text that none has', 'limit=50&q=no-such-text'],
  ['a letter that all have', 'limit=50&q=h'],
  ['a letter that none has', 'limit=50&q=q'],
  ['two letters that all have', 'limit=50&q=os'],
  ['two letters that few have', 'limit=50&q=99'],
  ['two letters that none has', 'limit=50&q=qz'],
  ['sorted by severity, 500', 'limit=500&sort=severity:desc,created_at:desc'],
]

/** The same list in the public API, in both profiles. */
const publicRequests: readonly (readonly [title: string, profile: 'A' | 'B', path: string])[] = [
  ['public, newest 20', 'A', 'alerts'],
  ['public, newest 20', 'B', 'alerts'],
  ['public, newest 100', 'B', 'alerts?size=100'],
  ['public, high and critical ones', 'B', 'alerts?severity=high,critical'],
  ['public, of a product', 'B', 'alerts?source_type=windows'],
  ['public, statistics', 'A', 'alerts/stats'],
  ['public, incidents', 'A', 'incidents'],
  ['public, assets', 'B', 'assets'],
  ['public, rules', 'B', 'rules'],
]

function equals(field: string, value: string): object {
  return { field, op: 'eq', value }
}

const { folder, removeFolder } = openBenchFolder('alerts', values['data-dir'])
try {
  await run()
} finally {
  removeFolder()
}

async function run(): Promise<void> {
  const rules = join(folder, 'rules')
  const dataDir = join(folder, 'data')
  const credentials = existsSync(join(folder, 'login.json')) ? readCredentials() : await fill(rules, dataDir)
  const server = await startServerProcess(dataDir, rules, { credentials })
  try {
    await measure(server)
  } finally {
    await server.stop()
  }
}

async function measure(server: ServerProcess): Promise<void> {
  const load = new AbortController()
  const offered = eventsPerSecond === 0 ? undefined : offerLoad({
    origin: server.origin, token: server.token, batches: createBatches(load.signal), eventsPerSecond, senders: 4,
  })
  if (offered !== undefined) await new Promise((resolve) => setTimeout(resolve, 3_000))
  printLine('| request | total | first | p50 | p95 | processor |\n| --- | --- | --- | --- | --- | --- |')
  const headers = { authorization: `Bearer ${server.token}` }
  for (const [title, query] of requests) {
    await time(server, { title, url: `${server.origin}/v1/alerts?${query}`, headers }, (body) => {
      const { total_estimate: count, truncated } = body as { total_estimate: number; truncated: boolean }
      return `${count}${truncated ? ' or more' : ''}`
    })
  }
  const key = await createKey(server)
  for (const [title, profile, path] of publicRequests) {
    const own = { 'authorization': `Bearer ${key}`, 'x-api-profile': profile }
    await time(server, { title: `${title}, profile ${profile}`, url: `${server.origin}/api/v1/${path}`, headers: own }, (body) => {
      const { totalElements, pagination, total_alerts: counted = 0 } = body as {
        totalElements?: number; pagination?: { total: number }; total_alerts?: number
      }
      return String(totalElements ?? pagination?.total ?? counted)
    })
  }
  load.abort()
  const outcome = await offered
  if (outcome !== undefined) {
    const rate = outcome.acceptedCount / (outcome.wallMs / 1_000)
    const refused = `${outcome.refusedCount} batches were told to wait`
    printLine(`\nMeanwhile ${outcome.acceptedCount} events were accepted, ${rate.toFixed(0)} a second; ${refused}.`)
  }
}

function readCredentials(): Credentials {
  return JSON.parse(readFileSync(join(folder, 'login.json'), 'utf8')) as Credentials
}

/** Starts a server once, so that the database is there, and writes the alerts. */
async function fill(rules: string, dataDir: string): Promise<Credentials> {
  mkdirSync(rules, { recursive: true })
  writeFileSync(join(rules, 'probe.yml'), probeRule.text)
  const first = await startServerProcess(dataDir, rules)
  await first.stop()
  const startedAt = performance.now()
  const file = join(dataDir, 'state.db')
  insertAlerts(file)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  printLine(`${alertCount} alerts over 30 days in ${Math.round(statSync(file).size / 1_048_576)} MiB, written in ${seconds} s\n`)
  writeFileSync(join(folder, 'login.json'), JSON.stringify(first.credentials))
  return first.credentials
}

async function createKey({ origin, token }: ServerProcess): Promise<string> {
  const created = await fetch(`${origin}/v1/api-keys`, {
    method: 'POST', headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `bench ${Date.now()}`, scope: 'read-only' }),
  })
  const { key } = await created.json() as { key: string }
  return key
}

type Timed = { readonly title: string; readonly url: string; readonly headers: { readonly [name: string]: string } }

/** Requests the same some times, and prints what it took. */
async function time({ usage }: ServerProcess, { title, url, headers }: Timed, printTotal: (body: unknown) => string): Promise<void> {
  const taken: number[] = []
  let total = ''
  let processorMs = 0
  while (taken.length < rounds) {
    const usedBefore = usage().processorMs
    const askedAt = performance.now()
    const answered = await fetch(url, { headers })
    const text = await answered.text()
    const ms = performance.now() - askedAt
    if (answered.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, Number(answered.headers.get('retry-after')) * 1_000))
      continue
    }
    if (!answered.ok) throw new Error(`${url} was answered ${answered.status}: ${text}`)
    taken.push(ms)
    processorMs += usage().processorMs - usedBefore
    total = printTotal(JSON.parse(text))
  }
  const figures = [taken[0], computePercentile(taken, 50), computePercentile(taken, 95), processorMs / rounds]
  const shown = figures.map((ms) => `${(ms ?? 0).toFixed(1)} ms`)
  printLine(`| ${[title, total, ...shown].join(' | ')} |`)
}

/** Batches of events that match no rule, until the signal. */
function* createBatches(signal: AbortSignal): Generator<{ readonly body: Buffer; readonly count: number }> {
  const count = 100
  for (let n = 0; !signal.aborted; n += count) {
    const lines = Array.from({ length: count }, (_, i) => JSON.stringify({
      Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Computer: `host-${(n + i) % 2_000}.corp.example`,
      UtcTime: new Date().toISOString(), Image: 'C:\\Windows\\System32\\svchost.exe', CommandLine: `svchost.exe -k netsvcs -s ${n + i}`,
      User: `CORP\\user-${(n + i) % 500}`,
    }))
    yield { body: Buffer.from(`${lines.join('\n')}\n`), count }
  }
}

/** Writes alerts as the pipeline would: of 200 rules on 2,000 hosts, one in eleven of them open. */
function insertAlerts(file: string): void {
  const database = new DatabaseSync(file)
  const values = {
    tenant_id: `'default'`, id: `printf('alert-%012d', n)`, rule_id: `'rule-' || (n * 7919 % 200)`,
    rule_title: `'Title of a rule'`,
    level: `1 + n * 104729 % 5`, status: `case when n * 31 % 11 = 0 then 'open' else 'resolved' end`,
    verdict: `'unreviewed'`, assignee: `''`, source: `'windows'`, source_ip: `''`,
    host: `case when n % 100000 = 7 then 'rare-host' else 'host-' || (n * 15485863 % 2000) end`,
    user_name: `'user-' || (n % 500)`, process_name: `'C:\\Windows\\System32\\cmd.exe'`, command_line: `'cmd.exe /c whoami ' || n`,
    stated_time: `''`, tactics: `'["execution"]'`, techniques: `'["T1059"]'`, enrichment: `'{}'`, asset_criticality: `''`,
    product: `case when n % 3 = 0 then 'windows' else 'linux' end`,
    incident_id: `''`, dedup_key: `'key-' || n`, event_count: '1', last_seen_at: 'at', reopened_count: '0', version: '1',
    created_at: 'at', updated_at: 'at',
  }
  const stepMs = (30 * dayMs) / alertCount
  database.exec(`
    pragma synchronous = off;
    begin;
    insert into alerts (${Object.keys(values).join(', ')})
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${alertCount})
      select ${Object.values(values).join(', ')}
      from (select n, cast(${Date.now() - 30 * dayMs} + n * ${stepMs} as integer) as at from numbers);
    insert into alert_counts (tenant_id, status, level, count)
      select tenant_id, status, level, count(*) from alerts group by tenant_id, status, level;
    commit;
    pragma wal_checkpoint(truncate)`)
  database.close()
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
