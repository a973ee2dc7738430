import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../src/migrations/migrate.ts'
import { migrations } from '../src/migrations/migrations.ts'
import { hashRow } from '../src/sqlite/audit-check.ts'
import { auditStore } from '../src/sqlite/audit.ts'
import { auditList } from '../src/sqlite/lists/audit-list.ts'
import { readPage } from '../src/sqlite/lists/list-page.ts'
import { openDatabase } from '../src/sqlite/query/database.ts'
import { tenantStore } from '../src/sqlite/access/tenants.ts'
import { auditFactsWith, auditKey, tenantWith } from './state-samples.ts'

const entryCount = 8

/** A trail of eight entries in tenant 'a' and of one in tenant 'b', and its database for direct writes. */
async function openTrails() {
  const database = openDatabase({ path: ':memory:' })
  const { db } = database
  await migrate(database, migrations)
  const audit = auditStore(db, auditKey)
  for (const id of ['a', 'b']) await tenantStore(db, auditKey).insert(tenantWith({ id }))
  for (let i = 1; i <= entryCount; i++) await audit.append('a', auditFactsWith({ at: i, action: `action ${i}`, diff: { title: `Title ${i}` } }))
  await audit.append('b', auditFactsWith({}))
  return { db, audit, run: (statement: string) => sql.raw(statement).execute(db) }
}

const changed = (column: string, value: string) => `update audit_entries set ${column} = ${value} where tenant_id = 'a' and seq = 4`
const at4 = "where tenant_id = 'a' and seq = 4"
const copy = (seq: number, of: number) => `insert into audit_entries select tenant_id, ${seq}, at, actor_type, actor_id, actor_email, action, target_type,
  target_id, ip, user_agent, request_id, outcome, diff, prev_hash, hash, version, attestation from audit_entries where tenant_id = 'a' and seq = ${of}`

test.for<[title: string, statements: readonly string[], brokenAt: number]>([
  ['edit: when', [changed('at', 'at + 1')], 4],
  ['edit: who', [changed('actor_id', "'u2'")], 4],
  ['edit: the kind of who', [changed('actor_type', "'system'")], 4],
  ['edit: the email of who', [changed('actor_email', 'null')], 4],
  ['edit: what', [changed('action', "'nothing'")], 4],
  ['edit: to what', [changed('target_id', "'m2'")], 4],
  ['edit: to what kind', [changed('target_type', "'rule'")], 4],
  ['edit: from where', [changed('ip', "'192.0.2.2'")], 4],
  ['edit: with what', [changed('user_agent', "''")], 4],
  ['edit: in which request', [changed('request_id', 'null')], 4],
  ['edit: how it went', [changed('outcome', "'failed'")], 4],
  ['edit: the difference', [changed('diff', `'{"status":["open","open"]}'`)], 4],
  ['edit: a blank of the difference', [changed('diff', "diff || ' '")], 4],
  ['edit: the hash', [changed('hash', "replace(hash, substr(hash, 1, 1), 'x')")], 4],
  ['edit: the hash before', [changed('prev_hash', "'x'")], 4],
  ['edit: the version of the hash', [changed('version', '1')], 4],
  ['edit: an erasure that was none', [changed('actor_id', "'u2'"), changed('attestation', "'x'")], 4],
  ['a key that is gone', ["delete from audit_keys where tenant_id = 'a' and id = (select substr(actor_email, 4, 12) from audit_entries where tenant_id = 'a' and seq = 4)"], 1],
  ['a key that was destroyed from outside', ["update audit_keys set salt = '' where tenant_id = 'a' and id = (select substr(diff, instr(diff, 'a2.') + 3, 12) from audit_entries where tenant_id = 'a' and seq = 4)"], 4],
  ['moved to another tenant', [`update audit_entries set tenant_id = 'b', seq = 2 ${at4}`], 4],
  ['deletion of the first', ["delete from audit_entries where tenant_id = 'a' and seq = 1"], 1],
  ['deletion in the middle', [`delete from audit_entries ${at4}`], 4],
  ['deletion, the rest moved up', [`delete from audit_entries ${at4}`, ...[5, 6, 7, 8].map((seq) => `update audit_entries set seq = ${seq - 1} where tenant_id = 'a' and seq = ${seq}`)], 4],
  ['insertion before the first', [copy(0, 1)], 0],
  ['insertion after the last', [copy(9, 8)], 9],
  ['two entries exchanged', [`update audit_entries set seq = 100 ${at4}`, "update audit_entries set seq = 4 where tenant_id = 'a' and seq = 5", "update audit_entries set seq = 5 where tenant_id = 'a' and seq = 100"], 4],
  ['cut tail', ["delete from audit_entries where tenant_id = 'a' and seq > 6"], 7],
  ['cut tail, the ends moved with it', ["delete from audit_entries where tenant_id = 'a' and seq > 6", "update audit_ends set last_seq = 6, last_hash = (select hash from audit_entries where tenant_id = 'a' and seq = 6) where tenant_id = 'a'"], 1],
  ['cut beginning, the ends moved with it', ["update audit_ends set first_seq = 2, first_hash = (select hash from audit_entries where tenant_id = 'a' and seq = 2) where tenant_id = 'a'", "delete from audit_entries where tenant_id = 'a' and seq <= 2"], 3],
  ['all of it deleted', ["delete from audit_entries where tenant_id = 'a'"], 1],
  ['all of it deleted with the ends', ["delete from audit_entries where tenant_id = 'a'", "delete from audit_ends where tenant_id = 'a'"], 1],
  ['the ends of another tenant', ["update audit_ends set (last_seq, last_hash, seal) = (select last_seq, last_hash, seal from audit_ends where tenant_id = 'b') where tenant_id = 'a'"], 1],
])('%s', async ([, statements, brokenAt]) => {
  const { audit, run, db } = await openTrails()
  expect(await audit.verify('a')).toMatchObject({ entryCount, brokenAt: undefined })
  for (const statement of statements) await run(statement)
  const report = await audit.verify('a')
  expect(report.brokenAt).toBe(brokenAt)
  expect(report.problem).toMatch(/^(entry|entries|the ends) /)
  await db.destroy()
})

test('a chain rebuilt from its middle does not match its ends', async () => {
  const { db, audit } = await openTrails()
  const row = (await readPage(db, auditList, 'a', { after: [9], limit: 1 })).entries[0]?.row
  if (row === undefined) throw new Error('the trail has no last entry')
  const { seq } = row
  const hash = hashRow('a', { ...row, action: 'forged' })
  await db.updateTable('auditEntries').set({ action: 'forged', hash }).where('tenantId', '=', 'a').where('seq', '=', seq).execute()
  expect(await audit.verify('a')).toMatchObject({ brokenAt: 8, problem: 'entry 8 is not the last that was added' })
  await db.destroy()
})

test('nothing is appended to a trail whose ends were modified', async () => {
  const { db, audit, run } = await openTrails()
  await run("update audit_ends set last_seq = 6 where tenant_id = 'a'")
  await expect(audit.append('a', auditFactsWith({}))).rejects.toThrow("the audit trail of tenant 'a' was modified from outside")
  await expect(audit.removeOld('a', 5)).rejects.toThrow("the audit trail of tenant 'a' was modified from outside")
  await db.destroy()
})

test('another key finds every trail broken', async () => {
  const { db } = await openTrails()
  expect((await auditStore(db, Buffer.from('another key')).verify('a')).problem).toBe('the ends of the trail were modified from outside')
  await db.destroy()
})

test('a restored database is detected by an entry recorded elsewhere', async () => {
  const { db, audit, run } = await openTrails()
  await run("create table kept as select * from audit_ends where tenant_id = 'a'")
  const { seq, hash } = await audit.append('a', auditFactsWith({ action: 'noted' }))
  expect(await audit.verify('a', { seq, hash })).toMatchObject({ brokenAt: undefined })
  await run("delete from audit_entries where tenant_id = 'a' and seq = 9")
  await run("update audit_ends set (last_seq, last_hash, seal) = (select last_seq, last_hash, seal from kept) where tenant_id = 'a'")
  expect(await audit.verify('a')).toMatchObject({ lastSeq: entryCount, brokenAt: undefined })
  expect(await audit.verify('a', { seq, hash })).toMatchObject({ brokenAt: 9 })
  await db.destroy()
})
