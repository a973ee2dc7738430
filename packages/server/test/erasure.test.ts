import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { getStateFile } from '@tripline/state/data-dir'
import { readInstallationKeys } from '@tripline/state/installation-keys'
import { openState } from '@tripline/state/open-state'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createBackup } from '../src/backup/create-backup.ts'
import { openRepository } from '../src/backup/open-repository.ts'
import { restoreBackup } from '../src/backup/restore-backup.ts'
import { verifyData } from '../src/verification/verify-data.ts'
import { killServerProcesses, logIn, startServerProcess, waitForReady } from './server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tripline-erasure-'))
const dataDir = join(folder, 'data')
const place = {
  repository: join(folder, 'backups'), passphraseFile: join(folder, 'passphrase'), ageIdentityFile: '', s3Endpoint: '', s3Region: '', s3CredentialsFile: '',
}
/** Asked more often, a slow machine meets the limit of requests per minute. */
const patience = { timeout: 300_000, interval: 500 }
const person = String.raw`CORP\qzjxkvwy`

afterAll(() => {
  killServerProcesses()
  rmSync(folder, { recursive: true })
})

/** The files below a data directory that hold the person's name as it is. */
function findFiles(dataDir: string): string[] {
  // Files of compiled code come and go.
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('code'))
  const paths = names.filter((path) => statSync(join(dataDir, path)).isFile())
  return paths.filter((path) => /qzjxkvwy/i.test(readFileSync(join(dataDir, path), 'latin1')))
}

test('a person is erased from events, alerts and files of a running server, and from nothing else', async () => {
  writeFileSync(join(folder, 'rule.yml'), encodedPowerShell)
  writeFileSync(join(folder, 'passphrase'), 'correct horse battery\n')
  const options = ['--data-dir', dataDir, '--listen', '127.0.0.1:0', join(folder, 'rule.yml')]
  let served = startServerProcess(options)
  let { url } = await waitForReady(served)
  const headers = { ...await logIn(served, url), 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    return { status_code: response.status, ...await response.json() as object }
  }
  const countEvents = async (): Promise<unknown> => {
    const { data } = await call('GET', '/v1/search?limit=100&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z') as { readonly data: readonly unknown[] }
    return data.length
  }
  const events = Array.from({ length: 60 }, (_, i) => ({
    ...encoded, Computer: `web-${i}`, User: i % 3 === 0 ? person : `CORP\\user${i}`, ParentCommandLine: i % 5 === 0 ? 'runas QZJXKVWY' : '',
  }))
  const isNamed = (_: unknown, i: number): boolean => i % 3 === 0 || i % 5 === 0
  const body = events.map((event) => JSON.stringify(event)).join('\n')
  const sent = await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers: { ...headers, 'content-type': 'application/x-ndjson' }, body })
  expect(sent.status).toBe(202)
  await vi.waitUntil(async () => (await call('GET', '/v1/alerts?limit=1'))['total_estimate'] === 60, patience)
  // Searches for the person are on the audit trail.
  await call('GET', '/v1/alerts?q=qzjxkvwy')
  await call('GET', '/v1/search?q=qzjxkvwy&limit=1')
  expect(findFiles(dataDir).length).toBeGreaterThan(1)

  const { id } = await call('POST', '/v1/dsr', { type: 'erasure', subject_ref: person })
  const path = `/v1/dsr/${String(id)}/erasure`
  expect(await call('POST', path, { identifiers: ['abc'] })).toMatchObject({ status_code: 400 })
  expect(await call('GET', path)).toMatchObject({ status_code: 404 })
  expect(await call('POST', path, { identifiers: [person, 'qzjxkvwy'] })).toMatchObject({ status_code: 202, status: 'queued' })
  await vi.waitUntil(async () => (await call('GET', path))['status'] === 'succeeded', patience)
  const { length: namedCount } = events.filter(isNamed)
  expect(await call('GET', path)).toMatchObject({ events_erased: namedCount, error: '' })
  expect(findFiles(dataDir)).toEqual([])
  expect(await call('GET', `/v1/dsr/${String(id)}`)).toMatchObject({ status: 'completed', subject_ref: '[erased]' })
  expect(await countEvents()).toBe(60 - namedCount)
  expect(JSON.stringify(await call('GET', '/v1/alerts?limit=100'))).not.toMatch(/qzjxkvwy/i)
  expect((await call('GET', '/v1/alerts?limit=1'))['total_estimate'], 'alerts stay, without the name').toBe(60)

  const trail = JSON.stringify(await call('GET', '/v1/audit?limit=100'))
  expect([/qzjxkvwy/i.test(trail), trail.includes('"query":"[erased]"'), trail.includes('"text":"[erased]"')]).toEqual([false, true, true])
  expect(await call('GET', '/v1/audit/verify')).toMatchObject({ ok: true })

  // A backup from now on has neither the texts nor the keys of those on the trail.
  const repository = await openRepository(place, { creates: true })
  const { id: backup } = await createBackup(repository, { dataDir, now: Date.now })
  const restored = join(folder, 'restored')
  await restoreBackup(repository, backup, restored)
  expect(findFiles(restored)).toEqual([])
  expect((await verifyData(restored)).firstDamage).toBeUndefined()
  const state = await openState({ path: getStateFile(restored), auditKey: (await readInstallationKeys(restored))!.audit, use: 'read' })
  expect(JSON.stringify(await state.audit.list(onlyTenant, { limit: 1_000 }))).not.toMatch(/qzjxkvwy/i)
  await state.close()

  // A restart brings nothing back, and finds no damage.
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
  served = startServerProcess(options)
  ;({ url } = await waitForReady(served))
  expect(findFiles(dataDir)).toEqual([])
  expect(await countEvents()).toBe(60 - namedCount)
  expect(served.printed.stderr).not.toContain('damage')
})
