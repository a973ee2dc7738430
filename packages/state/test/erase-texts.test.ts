import { auditOrigin, hashAuditEntry, sealAuditTrail } from '@tripline/model/audit'
import { SubjectText } from '@tripline/model/compliance/erasure'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkDatabase } from '../src/check-database.ts'
import { limits } from '../src/limits.ts'
import { openState } from '../src/open-state.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { erasedTables, keptTables } from '../src/sqlite/compliance/erased-tables.ts'
import {
  attestationWith, auditFactsWith, auditKey, backtestWith, channelRouteWith, channelWith, dataSubjectRequestWith, erasureWith, fill, newAlertWith, newIncidentWith, reportScheduleWith, reportWith, rulePipelineWith,
  connectorWith, playbookWith, ruleWith, savedViewWith, statedPerson, tenantWith, webhookWith,
} from './state-samples.ts'
import { everythingOf } from './tenant-calls.ts'

const person = String.raw`CORP\qzjxkvwy`
const mail = {
  type: 'email', host: 'mail.example.org', port: 587, security: 'starttls', caCertificate: '', username: '', from: 'soc@example.org',
} as const
const subject = new SubjectText([person, 'qzjxkvwy'])

/** Stands for what knows the texts of rules. */
const eraseAuthor = (definition: string): string => definition.replaceAll(/^author: .*$/gm, 'author: erased')

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
  await store.backtests.insert(tenant, backtestWith({ id: 'eb', status: 'succeeded', result: JSON.stringify({ users: [{ value: person, count: 1 }] }) }))
  await store.backtests.insert(tenant, backtestWith({ id: 'ex', exceptions: [{ detection: { here: { User: person }, condition: 'not here' } }] }))
  const report = reportWith({ id: 'erp', title: 'Weekly' })
  await store.reports.insert(tenant, report)
  const actor = { type: 'user', id: 'u7', email: 'qzjxkvwy@example.org' } as const
  await store.audit.append(tenant, auditFactsWith({ actor, ip: '203.0.113.77', userAgent: 'Agent of u7', diff: { owner: ['bob@example.org', null] } }))
  await store.audit.append(tenant, auditFactsWith({ diff: { query: `user:"${person}"`, owner: [person, 'bob@example.org'], map: { [person]: 1 }, count: 2 } }))
  await store.reports.putContent(tenant, 'erp', { definition: JSON.stringify([person]), file: Buffer.from('pdf') })
}

test('a text is gone from all rows of the tenant, and from the bytes of the database', async () => {
  await fill(store)
  await nameIn('a')
  expect(JSON.stringify(await everythingOf(store, 'a'))).toContain('qzjxkvwy')
  expect(findFiles()).not.toEqual([])
  const rowCount = await store.erasures.eraseTexts('a', subject, eraseAuthor)
  expect(rowCount).toBeGreaterThanOrEqual(14)
  expect(JSON.stringify(await everythingOf(store, 'a'))).not.toMatch(/qzjxkvwy/i)
  expect(findFiles()).toEqual([])
  expect(await store.alerts.get('a', 'e1')).toMatchObject({ event: { user: '[erased]', host: 'web-1', commandLine: 'runas [erased]' } })
  const [evidence] = await store.alerts.evidence('a', 'e1')
  expect(JSON.parse(evidence?.event ?? '')).toEqual({ User: '[erased]', nested: '{"user":"[erased]"}' })
  expect(await store.reports.get('a', 'erp')).toBeUndefined()
  for (const id of ['eb', 'ex']) expect(await store.backtests.get('a', id)).toBeUndefined()
  expect(await store.dataSubjectRequests.get('a', 'er')).toMatchObject({ subjectRef: '[erased]' })
  // Checksums hold, and searches of texts do not find it.
  expect(checkDatabase(join(folder, 'state.db')).problems).toEqual([])
  expect((await store.alerts.list('a', { text: 'qzjxkvwy', limit: 9 })).entries).toEqual([])
  expect(await store.erasures.eraseTexts('a', subject, eraseAuthor)).toBe(0)
})

test('a person gets no mail any more: the address is removed, and what has none left is disabled', async () => {
  await fill(store)
  const own = 'qzjxkvwy@example.org'
  const mailTo = (to: readonly string[]) => ({ settings: { ...mail, to } })
  await store.reportSchedules.insert('a', reportScheduleWith({ id: 's8', name: 'Both', recipients: [own, 'bob@example.org'], isEnabled: true, nextRunAt: 9 }))
  await store.reportSchedules.insert('a', reportScheduleWith({ id: 's9', name: 'One', recipients: [own], isEnabled: true, nextRunAt: 9 }))
  await store.channels.insert('a', channelWith({ id: 'c8', name: 'Both', ...mailTo(['bob@example.org', own.toUpperCase()]) }))
  await store.channels.insert('a', channelWith({ id: 'c9', name: 'One', ...mailTo([own]) }))
  await store.erasures.eraseTexts('a', subject, eraseAuthor)
  expect(await store.reportSchedules.get('a', 's8')).toMatchObject({ recipients: ['bob@example.org'], isEnabled: true, nextRunAt: 9 })
  expect(await store.reportSchedules.get('a', 's9')).toMatchObject({ recipients: [], isEnabled: false, nextRunAt: undefined })
  expect(await store.channels.get('a', 'c8')).toMatchObject({ ...mailTo(['bob@example.org']), isEnabled: true })
  expect(await store.channels.get('a', 'c9')).toMatchObject({ ...mailTo([]), isEnabled: false })
  expect(findFiles()).toEqual([])
  expect(checkDatabase(join(folder, 'state.db')).problems).toEqual([])
})

test('settings, views and attestations name the person no more, and stay what they are', async () => {
  await fill(store)
  const name = 'qzjxkvwy@example.org'
  const entry = (value: string) => ({ claim: 'email', op: 'equals', value, role: 'analyst' } as const)
  await store.tenants.update('a', { settings: { roleMapping: [entry(name), entry('bob@example.org')] } }, { expectedVersion: undefined, at: 2 })
  await store.views.insert('a', savedViewWith({ id: 'v8', name: `Of ${name}`, query: `q=${encodeURIComponent(`user:${name}`)}&status=open` }))
  await store.compliance.putAttestation('a', 'iso27001', attestationWith({ by: name, note: `asked ${name}` }))
  await store.channels.insert('a', channelWith({ id: 'c6', name }))
  await store.channels.insert('a', channelWith({ id: 'c7', name: name.toUpperCase() }))
  await store.channelRoutes.insert('a', channelRouteWith({ id: 'r7', name: `To ${name}` }))
  await store.rules.put('a', [ruleWith({ id: 'own', version: 7 })], { by: name, wasEnabled: true })
  const lastTest = { at: 1, problem: undefined, email: name, name: undefined, roles: [], claims: { sub: 'u', email: name } }
  await store.signOn.put('a', { ...await store.signOn.get('a'), lastTest }, { expectedVersion: undefined, at: 2 })
  await store.reportSchedules.insert('a', reportScheduleWith({ id: 's7', name: `For ${name}`, createdBy: name }))
  await store.webhooks.insert('a', webhookWith({ id: 'w7', name }))
  await store.rulePipelines.insert('a', rulePipelineWith({ id: 'l7', name: `For ${name}`, createdBy: name, updatedBy: name }))
  await store.playbooks.insert('a', playbookWith({ id: 'p7', name, description: `by ${name}` }))
  await store.connectors.insert('a', connectorWith({ id: 'k7', name }), undefined)
  const assessment = { framework: 'gdpr', at: 1, jobId: 'j7', sha256: 'ab', controls: [{ attestation: { by: name } }] as never }
  await store.compliance.saveAssessment('a', assessment)
  await store.erasures.eraseTexts('a', subject, eraseAuthor)
  expect(await store.reportSchedules.get('a', 's7')).toMatchObject({ name: expect.stringMatching(/^For \[erased\]@example.org \d+$/), createdBy: '[erased]@example.org' })
  expect(await store.rulePipelines.get('a', 'l7')).toMatchObject({
    name: expect.stringMatching(/^For \[erased\]@example.org \d+$/), createdBy: '[erased]@example.org', updatedBy: '[erased]@example.org',
  })
  expect(await store.webhooks.get('a', 'w7')).toMatchObject({ name: expect.stringMatching(/^\[erased\]@example.org \d+$/) })
  expect(await store.playbooks.get('a', 'p7')).toMatchObject({ name: expect.stringMatching(/^\[erased\]@example.org \d+$/), description: 'by [erased]@example.org' })
  expect(await store.connectors.get('a', 'k7')).toMatchObject({ name: expect.stringMatching(/^\[erased\]@example.org \d+$/) })
  expect(await store.compliance.getAssessment('a', 'gdpr')).toMatchObject({ controls: [{ attestation: { by: '[erased]@example.org' } }] })
  expect((await store.tenants.get('a'))?.settings).toEqual({ roleMapping: [entry('bob@example.org')] })
  expect(await store.views.get('a', 'v8')).toMatchObject({ name: 'Of [erased]@example.org', query: 'q=user%3A[erased]%40example.org&status=open' })
  expect(await store.compliance.listAttestations('a', 'iso27001')).toEqual([expect.objectContaining({ by: '[erased]@example.org', note: 'asked [erased]@example.org' })])
  const channelNames = (await store.channels.list('a')).map((channel) => channel.name).filter((text) => text.includes('erased'))
  expect(channelNames.map((text) => text.replace(/\d+$/, 'N')).sort()).toEqual(['[erased]@EXAMPLE.ORG N', '[erased]@example.org N'])
  expect(await store.channelRoutes.get('a', 'r7')).toMatchObject({ name: expect.stringMatching(/^To \[erased\]@example.org \d+$/) })
  expect(await store.ruleVersions.list('a', 'own')).toEqual([expect.objectContaining({ savedBy: '[erased]@example.org' })])
  expect((await store.signOn.get('a')).lastTest).toMatchObject({ email: '[erased]@example.org' })
  expect(findFiles()).toEqual([])
  expect(checkDatabase(join(folder, 'state.db')).problems).toEqual([])
})

test('each table of a tenant is erased from, or has a reason why not', () => {
  const database = new DatabaseSync(join(folder, 'state.db'), { readOnly: true })
  const columns = database.prepare(`select distinct s.name as name from sqlite_schema s, pragma_table_info(s.name) c
    where s.type = 'table' and c.name = 'tenant_id'`).all()
  database.close()
  const stated = [...erasedTables.map(({ table }) => table), ...Object.keys(keptTables)]
  expect(new Set(stated)).toEqual(new Set(['tenants', ...columns.map(({ name }) => String(name))]))
  expect(new Set(stated).size).toBe(stated.length)
})

test('a version of a rule loses its author and keeps what it detects, also when the rule is gone', async () => {
  await fill(store)
  const definition = `title: t\nauthor: ${person}\ndetection: {s: {User: ${person}}, condition: s}\n`
  for (const version of [1, 2]) await store.rules.put('a', [ruleWith({ id: 'gone', version, definition })], { by: 'bob@example.org', wasEnabled: true })
  await store.rules.remove('a', 'gone', 3)
  expect(await store.erasures.eraseTexts('a', subject, eraseAuthor)).toBeGreaterThanOrEqual(2)
  for (const version of [1, 2]) {
    expect(await store.ruleVersions.get('a', 'gone', version)).toMatchObject({ definition: definition.replace(/author: .*/, 'author: erased'), savedBy: 'bob@example.org' })
  }
  expect(checkDatabase(join(folder, 'state.db')).problems).toEqual([])
})

test('definitions that name the person are listed, and those of another tenant are not', async () => {
  await fill(store)
  await store.tenants.insert(tenantWith({ id: 'other' }))
  expect(await store.erasures.listKept('a', subject)).toEqual([])
  const definition = `detection: {s: {User: ${person}}, condition: s}\n`
  for (const tenant of ['a', 'other']) await store.rules.put(tenant, [ruleWith({ id: `of-${tenant}`, definition })], { by: 'bob', wasEnabled: true })
  await store.webhooks.insert('a', webhookWith({ id: 'w7', name: 'Hook', url: 'https://hooks.example/qzjxkvwy' }))
  await store.tenants.update('a', { settings: { ownDomains: ['qzjxkvwy.example'] } }, { expectedVersion: undefined, at: 2 })
  const kept = [{ type: 'rule', id: 'of-a' }, { type: 'webhook', id: 'w7' }, { type: 'settings', id: 'a' }] as const
  expect(await store.erasures.listKept('a', subject)).toEqual(kept)
  await store.erasures.put('a', erasureWith({ kept }))
  expect((await store.erasures.get('a', 'dr1'))?.kept).toEqual(kept)
})

test('another tenant keeps its rows', async () => {
  await fill(store)
  await store.tenants.insert(tenantWith({ id: 'other' }))
  await nameIn('other')
  // The first call begins a request, which is part of what is compared.
  await everythingOf(store, 'other')
  const before = JSON.stringify(await everythingOf(store, 'other'))
  await store.erasures.eraseTexts('a', subject, eraseAuthor)
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

describe('the audit trail', () => {
  const listNewest = async (limit: number) => (await store.audit.list('a', { limit })).entries

  test('has its texts encrypted in the files, and readable in lists', async () => {
    await store.tenants.insert(tenantWith({}))
    const added = await store.audit.append('a', auditFactsWith({ actor: { type: 'user', id: 'u7', email: 'qzjxkvwy@example.org' }, diff: { query: person } }))
    expect(findFiles()).toEqual([])
    expect(await listNewest(1)).toEqual([added])
  })

  test('loses what names the person and nothing else, and verifies', async () => {
    await fill(store)
    await nameIn('a')
    const salts = readSalts()
    await store.erasures.eraseTexts('a', subject, eraseAuthor)
    const [told, acted, other] = await listNewest(3)
    expect(told).toMatchObject({
      actor: { email: 'ann@example.org' }, diff: { query: '[erased]', owner: ['[erased]', 'bob@example.org'], map: '[erased]', count: 2 },
    })
    expect(acted).toMatchObject({
      actor: { id: 'u7', email: '[erased]' }, ip: '[erased]', userAgent: '[erased]', diff: { owner: ['bob@example.org', null] },
    })
    expect(other).toMatchObject({ actor: { email: 'ann@example.org' }, ip: '192.0.2.1' })
    expect(await store.audit.verify('a')).toMatchObject({ entryCount: 3, brokenAt: undefined })
    // Without the salt no key can be derived again.
    const left = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1')).join('')
    expect(salts.filter((salt) => !left.includes(salt))).toHaveLength(7)
    const after = await store.audit.append('a', auditFactsWith({ diff: { query: person } }))
    expect(await listNewest(1)).toEqual([after])
    expect(await store.audit.verify('a')).toMatchObject({ entryCount: 4, brokenAt: undefined })
  })

  test('loses texts of entries from before they were encrypted, and verifies until another changes them', async () => {
    await store.tenants.insert(tenantWith({}))
    await store.close()
    appendInClear([{ diff: { query: person } }, { actor: { type: 'user', id: 'u7', email: 'qzjxkvwy@example.org' } }, {}])
    store = await openState({ path: join(folder, 'state.db'), auditKey })
    const before = await listNewest(3)
    expect(findFiles()).not.toEqual([])
    expect(await store.audit.verify('a')).toMatchObject({ entryCount: 3, brokenAt: undefined })
    expect(await store.erasures.eraseTexts('a', subject, eraseAuthor)).toBe(2)
    expect(findFiles()).toEqual([])
    expect(await listNewest(3)).toEqual([
      before[0], { ...before[1], actor: { type: 'user', id: 'u7', email: '[erased]@example.org' }, ip: undefined, userAgent: undefined },
      { ...before[2], diff: { query: '[erased]' } },
    ])
    expect(await store.audit.verify('a')).toMatchObject({ entryCount: 3, brokenAt: undefined })
    await store.audit.append('a', auditFactsWith({}))
    expect(await store.audit.verify('a')).toMatchObject({ entryCount: 4, brokenAt: undefined })
    write("update audit_entries set outcome = 'failed' where seq = 1")
    expect(await store.audit.verify('a')).toMatchObject({ brokenAt: 1 })
  })

  test('forgets keys with the last entries that refer to them', async () => {
    await store.tenants.insert(tenantWith({}))
    const { auditKeyEntries } = limits.state
    write(`update audit_ends set first_seq = ${auditKeyEntries - 2}, last_seq = ${auditKeyEntries - 2}`)
    const ends = { seq: auditKeyEntries - 2, hash: auditOrigin.hash }
    write(`update audit_ends set seal = '${sealAuditTrail(auditKey, 'a', { first: ends, last: ends })}'`)
    for (const at of [1, 2, 3]) await store.audit.append('a', auditFactsWith({ at }))
    const counted = readSalts().length
    expect(await store.audit.removeOld('a', 2)).toBe(1)
    expect(readSalts(), 'the entry before the next has the same keys').toHaveLength(counted - counted / 2)
    expect(await store.audit.verify('a')).toMatchObject({ entryCount: 2, brokenAt: undefined })
    expect(await store.audit.removeOld('a', 3)).toBe(1)
    expect((await listNewest(1))[0]).toMatchObject({ actor: { email: 'ann@example.org' } })
  })
})

/** The salts of the keys of the trails. */
function readSalts(): string[] {
  return withDatabase((database) => database.prepare("select salt from audit_keys where salt <> ''").all().map(({ salt }) => String(salt)))
}

function write(statement: string): void {
  withDatabase((database) => database.exec(statement))
}

function withDatabase<T>(work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(folder, 'state.db'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Appends entries as releases did whose trail had its texts in the clear. */
function appendInClear(entries: readonly Parameters<typeof auditFactsWith>[0][]): void {
  withDatabase((database) => {
    let last = auditOrigin
    for (const given of entries) {
      const facts = auditFactsWith(given)
      const { at, actor, action, target, ip = null, userAgent = null, requestId = null, outcome } = facts
      const entry = { ...facts, version: 1, seq: last.seq + 1, prevHash: last.hash, diff: JSON.stringify(facts.diff) }
      const hash = hashAuditEntry('a', entry)
      database.prepare(`insert into audit_entries (tenant_id, seq, at, actor_type, actor_id, actor_email, action, target_type, target_id, ip,
        user_agent, request_id, outcome, diff, prev_hash, hash) values ('a', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
        entry.seq, at, actor.type, actor.id, actor.email ?? null, action, target.type, target.id, ip, userAgent, requestId, outcome,
        entry.diff, entry.prevHash, hash,
      )
      last = { seq: entry.seq, hash }
    }
    const ends = { first: auditOrigin, last }
    database.prepare('update audit_ends set last_seq = ?, last_hash = ?, seal = ?').run(last.seq, last.hash, sealAuditTrail(auditKey, 'a', ends))
  })
}
