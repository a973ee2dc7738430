import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBackup } from '../../src/backup/create-backup.ts'
import { openRepository } from '../../src/backup/open-repository.ts'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { verifyBackups } from '../../src/backup/verify-backup.ts'
import { verifyData } from '../../src/verification/verify-data.ts'
import { killServerProcesses, logInAs, readFirstCredentials, startServerProcess, waitForReady } from '../server-process.ts'

const isFull = process.env['TRIPLINE_FULL'] === '1'
const backupCount = isFull ? 20 : 2
/** Events of a request, and the share of them that make an alert: fewer than a thousand in all, after which a rule's alerts are joined. */
const batchSize = isFull ? 500 : 100
const alertEvery = isFull ? 500 : 50

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-backup-load-'))
})
afterEach(() => {
  killServerProcesses()
  rmSync(folder, { recursive: true })
})

type Counts = { events: number; rule: number }
type Call = (url: string, method: string, path: string, body?: string) => Promise<unknown>
type Taken = { readonly id: string; readonly atLeast: Counts; readonly atMost: Counts }

test(`each of ${backupCount} backups of a busy server is a moment of it`, async () => {
  const rulesFile = join(folder, 'rule.yml')
  writeFileSync(rulesFile, anySshLogin)
  writeFileSync(join(folder, 'passphrase'), 'correct horse battery\n')
  let credentials: ReturnType<typeof readFirstCredentials> | undefined
  let headers = {}

  async function start(dataDir: string) {
    const served = startServerProcess(['--data-dir', dataDir, '--listen', '127.0.0.1:0', '--console', 'off', rulesFile])
    const { url } = await waitForReady(served)
    credentials ??= readFirstCredentials(served)
    headers = await logInAs(credentials, url)
    return { served, url }
  }

  async function call(url: string, method: string, path: string, body?: string): Promise<unknown> {
    const json = { ...headers, 'content-type': 'application/json' }
    for (;;) {
      const answer = await fetch(url + path, { method, headers: json, ...(body !== undefined && { body }) })
      if (answer.ok) return await answer.json()
      if (answer.status !== 429 && answer.status !== 503) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
      await pause(50)
    }
  }

  const live = await start(join(folder, 'data'))
  const { rules: [rule] } = await call(live.url, 'GET', '/v1/detection/rules') as { readonly rules: readonly { readonly id: string }[] }
  const rulePath = `/v1/detection/rules/${rule!.id}`
  const sent: Counts = { events: 0, rule: 0 }
  const acknowledged: Counts = { events: 0, rule: 0 }
  let isOver = false
  const workers = [
    async () => {
      const lines = Array.from({ length: batchSize }, (_, i) => JSON.stringify(newEvent(sent.events + i)))
      sent.events += batchSize
      await call(live.url, 'POST', '/ingest/v1/events', `${lines.join('\n')}\n`)
      acknowledged.events += batchSize
      // 5,000 a second at full size, or what the machine takes.
      if (isFull) await pause(100)
    },
    async () => {
      sent.rule++
      await call(live.url, 'PUT', rulePath, JSON.stringify({ title: `version ${sent.rule}` }))
      acknowledged.rule = sent.rule
      await pause(20)
    },
  ].map(async (work) => {
    while (!isOver) await work()
  })

  const place = {
    repository: join(folder, 'backups'), passphraseFile: join(folder, 'passphrase'), ageIdentityFile: '', s3Endpoint: '', s3Region: '', s3CredentialsFile: '',
  }
  const repository = await openRepository(place, { creates: true })
  const taken: Taken[] = []
  for (let i = 0; i < backupCount; i++) {
    const before = { ...acknowledged }
    while (acknowledged.events < before.events + 5 * batchSize || acknowledged.rule === before.rule) await pause(10)
    const atLeast = { ...acknowledged }
    const { id } = await createBackup(repository, { dataDir: join(folder, 'data'), now: Date.now })
    taken.push({ id, atLeast, atMost: { ...sent } })
  }
  isOver = true
  await Promise.all(workers)
  live.served.child.kill('SIGTERM')
  await live.served.exited

  expect((await verifyBackups(repository, taken.map(({ id }) => id))).problems).toEqual([])
  const moments: object[] = []
  for (const [i, { id, atLeast, atMost }] of taken.entries()) {
    const dataDir = join(folder, `restored-${i}`)
    await restoreBackup(repository, id, dataDir)
    expect((await verifyData(dataDir)).firstDamage).toBeUndefined()
    const { served, url } = await start(dataDir)
    for (let calm = 0; calm < 2;) {
      const { books } = await call(url, 'GET', '/v1/pipeline/metrics') as { readonly books: { readonly in_flight: number } }
      calm = books.in_flight === 0 ? calm + 1 : 0
      await pause(50)
    }
    const numbers = await readNumbers(call, url)
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, number) => number))
    const { title } = await call(url, 'GET', rulePath) as { readonly title: string }
    const version = Number(title.replace('version ', ''))
    // Every event that the backup has was evaluated once, and made its alert once.
    const moment = { events: numbers.length, rule: version, alerts: await countAlerts(call, url) }
    moments.push(moment)
    expect(moment).toEqual({ events: numbers.length, rule: version, alerts: Math.ceil(numbers.length / alertEvery) })
    for (const name of ['events', 'rule'] as const) {
      expect(moment[name]).toBeGreaterThanOrEqual(atLeast[name])
      expect(moment[name]).toBeLessThanOrEqual(atMost[name])
    }
    served.child.kill('SIGKILL')
    await served.exited
    rmSync(dataDir, { recursive: true })
  }
  const chunks = readdirSync(place.repository, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
  const flipped = join(chunks[0]!.parentPath, chunks[0]!.name)
  const bytes = readFileSync(flipped)
  bytes[bytes.length >> 1]! ^= 0x10
  writeFileSync(flipped, bytes)
  expect((await verifyBackups(repository, taken.map(({ id }) => id))).problems.length).toBeGreaterThan(0)
  if (isFull) process.stdout.write(`${JSON.stringify(moments)}\n`)
}, 900_000 + backupCount * 120_000)

function newEvent(number: number): object {
  const event = { id: `event-${number}`, number, '@timestamp': '2026-11-23T12:00:00.000Z' }
  return number % alertEvery === 0 ? { ...sshLogin, ...event, host: `h${number}` } : { ...event, message: `event ${number} of many` }
}

/** The alerts of a server, counted page by page: the total of a list is exact for the first thousand alone. */
async function countAlerts(call: Call, url: string): Promise<number> {
  const ids = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await call(url, 'GET', `/v1/alerts?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`) as {
      readonly alerts: readonly { readonly id: string }[]
      readonly pagination: { readonly next_cursor: string | null }
    }
    for (const { id } of page.alerts) ids.add(id)
    cursor = page.pagination.next_cursor
  }
  return ids.size
}

/** The numbers of all events that a server finds, ascending. */
async function readNumbers(call: Call, url: string): Promise<readonly number[]> {
  const numbers: number[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const body = { query: '*', from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z', size: 1_000, ...(cursor !== undefined && { cursor }) }
    const page = await call(url, 'POST', '/v1/search', JSON.stringify(body)) as {
      readonly data: readonly { readonly fields: { readonly number?: string | number } }[]
      readonly next_cursor: string | null
    }
    for (const { fields } of page.data) numbers.push(Number(fields.number))
    cursor = page.next_cursor
  }
  return numbers.sort((a, b) => a - b)
}
