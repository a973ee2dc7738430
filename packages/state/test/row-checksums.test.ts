import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkDatabase } from '../src/check-database.ts'
import { migrate } from '../src/migrations/migrate.ts'
import { migrations } from '../src/migrations/migrations.ts'
import { openState } from '../src/open-state.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { openDatabase } from '../src/sqlite/query/database.ts'
import { connectorWith, ruleWith } from './state-samples.ts'

const auditKey = Buffer.alloc(32, 1)
let folder: string
let path: string
const tables: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-checksums-'))
  path = join(folder, 'state.db')
  tables.length = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => openState({ path, auditKey, onDamagedRow: (table) => tables.push(table) })

/** Runs work on the state, and closes it. */
async function withState<Result>(work: (state: StateStore) => Promise<Result>): Promise<Result> {
  const state = await open()
  try {
    return await work(state)
  } finally {
    await state.close()
  }
}

const at = { version: 1, createdAt: 5, updatedAt: 5 }

/** A tenant with a row in each table that decides something. */
async function fill(): Promise<void> {
  await withState(async (state) => {
    for (const id of ['acme', 'other']) {
      await state.tenants.insert({ id, name: `Tenant ${id}`, isActive: true, settings: {}, ...at })
      const ann = { id: 'u1', email: `ann@${id}.example`, name: 'Ann', roles: ['admin'], interface: 'console' } as const
      await state.users.insert(id, { ...ann, isActive: true, permissionsVersion: 1, ...at })
    }
    await state.accounts.insert({ email: 'ann@acme.example', passwordHash: 'hash-of-a-password', totpSecret: undefined })
    await state.sessions.insert('acme', { id: 's1', userId: 'u1', createdAt: 5, refreshedAt: 5, generation: 1, revokedAt: undefined })
    await state.checkpoints.save('acme', 'detect', { put: new Map([['head', Buffer.from('a checkpoint')]]) })
    await state.apiKeys.insert('acme', {
      tenant: 'acme', publicId: 'k1', name: 'key', scope: 'read_only', apiProfile: 'auto', resources: [], requestsPerMinute: undefined, allowedCidrs: [], hash: Buffer.alloc(8, 7),
      createdBy: 'u1', expiresAt: undefined, revokedAt: undefined, lastUsedAt: undefined, lastUsedIp: undefined, ...at,
    })
    await state.rules.put('acme', [ruleWith({ id: 'r1' }), ruleWith({ id: 'r2' })])
    await state.connectors.insert('acme', connectorWith({ id: 'c1' }), 'hash of a token')
  })
}

/** Changes rows as a flipped bit does: no trigger sees it. */
function damage(statement: string): void {
  const database = new DatabaseSync(path)
  expect(Number(database.prepare(statement).run().changes)).toBe(1)
  database.close()
}

const damaged = { name: 'StoreError', code: 'CORRUPTED_ROW', details: { damaged: true } }

test.for<[table: string, statement: string, read: (state: StateStore) => Promise<unknown>]>([
  ['tenants', `update tenants set is_active = 0 where id = 'acme'`, (state) => state.tenants.get('acme')],
  ['users', `update users set roles = '["operator"]' where tenant_id = 'acme'`, (state) => state.users.get('acme', 'u1')],
  ['accounts', `update accounts set password_hash = 'hash-of-a-passwore'`, (state) => state.accounts.find('ann@acme.example')],
  ['sessions', 'update sessions set generation = 2', (state) => state.sessions.get('acme', 's1')],
  ['apiKeys', `update api_keys set scope = 'read_write'`, (state) => state.apiKeys.find('k1')],
  ['rules', `update rules set definition = 'title: Whoamj' where id = 'r1'`, (state) => state.rules.get('acme', 'r1')],
  ['connectors', `update connectors set is_enabled = 1 - is_enabled`, (state) => state.connectors.get('acme', 'c1')],
  ['checkpoints', `update checkpoints set bytes = x'00'`, (state) => state.checkpoints.load('acme', 'detect', 'head')],
])('a corrupted row of %s is not used, is counted once, and the rest is served', async ([table, statement, read]) => {
  await fill()
  expect(checkDatabase(path)).toEqual({ version: Object.keys(migrations).sort().at(-1), problems: [] })
  damage(statement)
  const { problems } = checkDatabase(path)
  expect(problems.map(({ problem }) => problem)).toEqual([expect.stringContaining('differs from its checksum')])
  await withState(async (state) => {
    await expect(read(state)).rejects.toMatchObject(damaged)
    await expect(read(state)).rejects.toMatchObject(damaged)
    expect([tables, [...state.getDamagedRows()]]).toEqual([[table], [[table, 1]]])
    expect((await state.rules.list('acme')).map(({ id }) => id)).toEqual(table === 'rules' ? ['r2'] : ['r1', 'r2'])
    expect(await state.users.get('other', 'u1')).toMatchObject({ email: 'ann@other.example' })
    expect((await state.tenants.list()).map(({ id }) => id)).toEqual(table === 'tenants' ? ['other'] : ['acme', 'other'])
  })
})

test('a change of a part of a corrupted row does not vouch for the rest', async () => {
  await fill()
  damage(`update api_keys set scope = 'read_write'`)
  await withState(async (state) => {
    await state.apiKeys.noteUse('acme', 'k1', { at: 9, ip: '192.0.2.1' })
    await expect(state.apiKeys.find('k1')).rejects.toMatchObject(damaged)
  })
  expect(checkDatabase(path).problems).toHaveLength(1)
})

test('rows stay in step with their checksums through changes, and a foreign connection keeps them, too', async () => {
  await fill()
  const other = await open()
  await withState(async (state) => {
    await state.tenants.update('acme', { name: 'New name' }, { at: 8, expectedVersion: undefined })
    await other.tenants.update('other', { name: 'Another name' }, { at: 9, expectedVersion: undefined })
    await state.checkpoints.save('acme', 'detect', { put: new Map([['head', Buffer.from('newer')]]) })
    await state.apiKeys.revoke('acme', 'k1', 9)
    await state.sessions.revoke('acme', 's1', 9)
  })
  await other.close()
  expect(checkDatabase(path).problems).toEqual([])
})

test('a flipped bit in the file is found', async () => {
  await fill()
  const database = new DatabaseSync(path)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  const bytes = readFileSync(path)
  const place = bytes.indexOf('Tenant acme')
  expect(place).toBeGreaterThan(0)
  bytes[place + 3]! ^= 1
  writeFileSync(path, bytes)
  expect(checkDatabase(path).problems.map(({ problem }) => problem)).toEqual([
    expect.stringMatching(/^a row of the table tenants differs from its checksum: id acme/),
  ])
})

test('rows of an older database get checksums', async () => {
  const old = openDatabase({ path })
  await migrate(old, Object.fromEntries(Object.entries(migrations).filter(([version]) => version < '0017')))
  await sql`insert into tenants values ('old', 'Old', 1, '{}', 1, 5, 5)`.execute(old.db)
  await old.db.destroy()
  expect(checkDatabase(path).problems).toEqual([])
  expect(await withState((state) => state.tenants.get('old'))).toMatchObject({ name: 'Old' })
  expect(checkDatabase(path)).toEqual({ version: Object.keys(migrations).sort().at(-1), problems: [] })
  damage(`update tenants set name = 'Olf'`)
  expect(checkDatabase(path).problems).toHaveLength(1)
})

// SQLite checks the tables of a full-text index by itself.
test('every table has checksums, but for those that are checked otherwise', async () => {
  await fill()
  const database = new DatabaseSync(path)
  const rows = database.prepare(`select s.name from sqlite_schema s where s.type = 'table' and not exists
    (select 1 from pragma_table_info(s.name) where name = 'row_checksum') order by 1`).all()
  database.close()
  expect(rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('alert_texts'))).toEqual(['audit_ends', 'audit_entries', 'checksum_columns', 'kysely_migration', 'kysely_migration_lock', 'migration_checksums', 'write_checks'])
})
