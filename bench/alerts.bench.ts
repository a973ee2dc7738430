/**
 * The list of alerts over HTTP, with very many of them:
 *
 *     node bench/alerts.bench.ts [--alerts 1000000] [--rounds 20]
 *
 * A tenant gets alerts over thirty days, written to the database as they would stand there. Told are the milliseconds of
 * requests as a console makes them, p50, p95 and the first one, from a server that was just started on them.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { computePercentile } from './pipeline/offer-load.ts'
import { probeRule } from './pipeline/probe-rule.ts'
import { startServerProcess } from './pipeline/server-process.ts'

const { values } = parseArgs({
  options: { alerts: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '20' } },
})
const alertCount = Number(values.alerts)
const rounds = Number(values.rounds)
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
]

function equals(field: string, value: string): object {
  return { field, op: 'eq', value }
}

const folder = mkdtempSync(join(tmpdir(), 'tripline-alerts-'))
try {
  await run()
} finally {
  rmSync(folder, { recursive: true })
}

async function run(): Promise<void> {
  const rules = join(folder, 'rules')
  const dataDir = join(folder, 'data')
  mkdirSync(rules)
  writeFileSync(join(rules, 'probe.yml'), probeRule.text)
  const first = await startServerProcess(dataDir, rules)
  await first.stop()
  const startedAt = performance.now()
  const file = join(dataDir, 'state.db')
  insertAlerts(file)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  printLine(`${alertCount} alerts over 30 days in ${Math.round(statSync(file).size / 1_048_576)} MiB, written in ${seconds} s\n`)
  const server = await startServerProcess(dataDir, rules, { credentials: first.credentials })
  printLine('| request | total | first | p50 | p95 |\n| --- | --- | --- | --- | --- |')
  const headers = { authorization: `Bearer ${server.token}` }
  for (const [title, query] of requests) {
    const taken: number[] = []
    let total = ''
    for (let round = 0; round < rounds; round++) {
      const askedAt = performance.now()
      const answered = await fetch(`${server.origin}/v1/alerts?${query}`, { headers })
      const text = await answered.text()
      taken.push(performance.now() - askedAt)
      if (!answered.ok) throw new Error(`${query} was answered ${answered.status}: ${text}`)
      const { total_estimate: count, truncated } = JSON.parse(text) as { total_estimate: number; truncated: boolean }
      total = `${count}${truncated ? ' or more' : ''}`
    }
    const shown = [taken[0], computePercentile(taken, 50), computePercentile(taken, 95)].map((ms) => `${(ms ?? 0).toFixed(1)} ms`)
    printLine(`| ${[title, total, ...shown].join(' | ')} |`)
  }
  const created = await fetch(`${server.origin}/v1/api-keys`, {
    method: 'POST', headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', scope: 'read-only' }),
  })
  const { key } = await created.json() as { key: string }
  for (const [title, profile, path] of publicRequests) {
    const taken: number[] = []
    let total = 0
    for (let round = 0; round < rounds; round++) {
      const askedAt = performance.now()
      const answered = await fetch(`${server.origin}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${key}`, 'x-api-profile': profile },
      })
      const text = await answered.text()
      taken.push(performance.now() - askedAt)
      if (!answered.ok) throw new Error(`${path} was answered ${answered.status}: ${text}`)
      const { totalElements, pagination, total_alerts: counted = 0 } = JSON.parse(text) as {
        totalElements?: number; pagination?: { total: number }; total_alerts?: number
      }
      total = totalElements ?? pagination?.total ?? counted
    }
    const shown = [taken[0], computePercentile(taken, 50), computePercentile(taken, 95)].map((ms) => `${(ms ?? 0).toFixed(1)} ms`)
    printLine(`| ${[`${title}, profile ${profile}`, total, ...shown].join(' | ')} |`)
  }
  await server.stop()
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
