import { SubjectText } from '@tripline/model/compliance/erasure'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkDatabase } from '../src/check-database.ts'
import { openState } from '../src/open-state.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import {
  auditKey, dataSubjectRequestWith, erasureWith, fill, newAlertWith, newIncidentWith, reportWith, statedPerson, tenantWith,
} from './state-samples.ts'
import { everythingOf } from './tenant-calls.ts'

const person = String.raw`CORP\qzjxkvwy`
const subject = new SubjectText([person, 'qzjxkvwy'])

let folder: string
let store: StateStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-erase-'))
  store = await openState({ path: join(folder, 'state.db'), auditKey })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** The files of the database that hold the person's name. */
function findFiles(): string[] {
  return readdirSync(folder).filter((name) => /qzjxkvwy/i.test(readFileSync(join(folder, name), 'latin1')))
}

/** Rows of a tenant that name the person in each way that events and users can. */
async function nameIn(tenant: string): Promise<void> {
  const event = { processName: 'a.exe', commandLine: `runas ${person}`, user: person.toUpperCase(), host: 'web-1', statedTime: '' }
  const evidence = JSON.stringify({ User: person, nested: JSON.stringify({ user: person }) })
  await store.alerts.insert(tenant, [newAlertWith({ id: 'e1', event, evidence, dedupKey: `rule1 ${person}`, description: `of ${person}` })])
  await store.incidents.insert(tenant, newIncidentWith({ id: 'ei', title: `${person} again` }), [], { at: 1, by: 'ann@example.org' })
  await store.directoryUsers.upsert(tenant, [statedPerson({ name: person, email: 'qzjxkvwy@example.org' }, 'ep')], 1)
  await store.dataSubjectRequests.insert(tenant, dataSubjectRequestWith({ id: 'er', subjectRef: person }))
  const report = reportWith({ id: 'erp', title: 'Weekly' })
  await store.reports.insert(tenant, report)
  await store.reports.putContent(tenant, 'erp', { definition: JSON.stringify([person]), file: Buffer.from('pdf') })
}

test('a text is gone from all rows of the tenant, and from the bytes of the database', async () => {
  await fill(store)
  await nameIn('a')
  expect(JSON.stringify(await everythingOf(store, 'a'))).toContain('qzjxkvwy')
  expect(findFiles()).not.toEqual([])
  const rowCount = await store.erasures.eraseTexts('a', subject)
  expect(rowCount).toBeGreaterThanOrEqual(7)
  expect(JSON.stringify(await everythingOf(store, 'a'))).not.toMatch(/qzjxkvwy/i)
  expect(findFiles()).toEqual([])
  expect(await store.alerts.get('a', 'e1')).toMatchObject({ event: { user: '[erased]', host: 'web-1', commandLine: 'runas [erased]' } })
  const [evidence] = await store.alerts.evidence('a', 'e1')
  expect(JSON.parse(evidence?.event ?? '')).toEqual({ User: '[erased]', nested: '{"user":"[erased]"}' })
  expect(await store.reports.get('a', 'erp')).toBeUndefined()
  expect(await store.dataSubjectRequests.get('a', 'er')).toMatchObject({ subjectRef: '[erased]' })
  // Checksums hold, and searches of texts do not find it.
  expect(checkDatabase(join(folder, 'state.db')).problems).toEqual([])
  expect((await store.alerts.list('a', { text: 'qzjxkvwy', limit: 9 })).entries).toEqual([])
  expect(await store.erasures.eraseTexts('a', subject)).toBe(0)
})

test('another tenant keeps its rows', async () => {
  await fill(store)
  await store.tenants.insert(tenantWith({ id: 'other' }))
  await nameIn('other')
  // The first call begins a request, which is part of what is compared.
  await everythingOf(store, 'other')
  const before = JSON.stringify(await everythingOf(store, 'other'))
  await store.erasures.eraseTexts('a', subject)
  expect(JSON.stringify(await everythingOf(store, 'other'))).toBe(before)
  expect(before).toContain('qzjxkvwy')
})

test('an erasure is that of its own tenant', async () => {
  await fill(store)
  await store.tenants.insert(tenantWith({ id: 'other' }))
  const own = await store.erasures.get('a', 'dr1')
  const others = erasureWith({ status: 'failed', error: 'full', finishedAt: 2_000, sealedIdentifiers: '' })
  await store.erasures.put('other', others)
  expect([await store.erasures.get('a', 'dr1'), await store.erasures.get('other', 'dr1')]).toEqual([own, others])
  expect([await store.erasures.listUnfinished('a'), await store.erasures.listUnfinished('other')]).toEqual([[own], []])
})
