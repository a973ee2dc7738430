/**
 * Exports a million alerts over HTTP, in each format, and compares the file with the list:
 *
 *     npm run trial:exports -- [--alerts 1000000]
 *
 * Prints the time, the first byte, the size, and by how much the memory of the server grew over what it had before.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { openBenchFolder } from './bench-folder.ts'
import { openState } from '../packages/state/src/open-state.ts'
import { newAlertWith } from '../packages/state/test/state-samples.ts'
import { killServerProcesses, logIn, startServerProcess, waitForReady } from '../packages/server/test/server-process.ts'

const { values } = parseArgs({ options: { alerts: { type: 'string', default: '1000000' } } })
const alertCount = Number(values.alerts)
const { folder, removeFolder } = openBenchFolder('exports')
const stateFile = join(folder, 'state.db')
const args = ['--data-dir', folder, '--listen', '127.0.0.1:0']
const MiB = 1_048_576

try {
  const first = startServerProcess(args)
  const { url: firstUrl } = await waitForReady(first)
  const headers = await logIn(first, firstUrl)
  first.child.kill('SIGTERM')
  await first.exited
  await fill()

  const served = startServerProcess(args)
  const { url, pid } = await waitForReady(served)
  const expected = await hashList()
  print(['format', 'seconds', 'first byte ms', 'MiB', 'rows', 'rows/s', 'memory +MiB', 'equal to the list'])
  for (const format of ['ndjson', 'csv', 'json'] as const) {
    const before = readMemory(pid)
    let peak = before
    const watching = setInterval(() => (peak = Math.max(peak, readMemory(pid))), 50)
    const startedAt = performance.now()
    const response = await fetch(`${url}/v1/exports/alerts?format=${format}`, { headers })
    const firstByteMs = performance.now() - startedAt
    const { byteCount, rowCount, hash } = await readFile(response, format)
    const seconds = (performance.now() - startedAt) / 1_000
    clearInterval(watching)
    print([
      format, seconds.toFixed(1), firstByteMs.toFixed(0), (byteCount / MiB).toFixed(0), String(rowCount),
      (rowCount / seconds).toFixed(0), ((peak - before) / MiB).toFixed(0), hash === expected ? 'yes' : 'NO',
    ])
    if (hash !== expected || rowCount !== alertCount) process.exitCode = 1
  }
  served.child.kill('SIGTERM')
  await served.exited
} finally {
  killServerProcesses()
  removeFolder()
}

/** Stores one alert as the server does, and copies its row. */
async function fill(): Promise<void> {
  const state = await openState({ path: stateFile, auditKey: Buffer.alloc(32) })
  await state.alerts.insert('default', [newAlertWith({ id: 'first', matchedAt: 1_700_000_000_000 })])
  await state.close()
  const database = new DatabaseSync(stateFile)
  const columns = database.prepare("select name from pragma_table_info('alerts')").all().map(({ name }) => String(name))
  const changed = new Map([['id', "printf('alert-%08d', n)"], ['created_at', 'created_at + n'], ['dedup_key', "printf('%d', n)"]])
  const copied = columns.map((name) => changed.get(name) ?? name)
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${alertCount - 1})
    insert into alerts (${columns.join(', ')}) select ${copied.join(', ')} from numbers, (select * from alerts where id = 'first')`)
  database.close()
}

/** The hash of the ids of all alerts, as pages of the list have them. */
async function hashList(): Promise<string> {
  const state = await openState({ path: stateFile, auditKey: Buffer.alloc(32), use: 'read' })
  const hash = createHash('sha256')
  const query = { order: [{ field: 'created_at', direction: 'desc' }], limit: 10_000 } as const
  let page = await state.alerts.list('default', query)
  for (;;) {
    for (const { id } of page.entries) hash.update(`${id}\n`)
    if (page.next === undefined) break
    page = await state.alerts.list('default', { ...query, after: page.next })
  }
  await state.close()
  return hash.digest('hex')
}

async function readFile(response: Response, format: 'ndjson' | 'csv' | 'json') {
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  const hash = createHash('sha256')
  let [byteCount, rowCount] = [0, 0]
  const counted = Readable.fromWeb(response.body).on('data', (bytes: Buffer) => (byteCount += bytes.length))
  const lines = createInterface({ input: counted, crlfDelay: Infinity })
  for await (const line of lines) {
    const id = /^(?:\{"id":")?([\w-]+)/.exec(line)?.[1]
    const isRow = format === 'csv' ? id !== undefined && id !== 'id' : line.startsWith('{')
    if (!isRow) continue
    rowCount++
    hash.update(`${id}\n`)
  }
  return { byteCount, rowCount, hash: hash.digest('hex') }
}

function readMemory(pid: number): number {
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(resident) * 1_024
}

function print(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}
