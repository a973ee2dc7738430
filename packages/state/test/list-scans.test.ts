import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { openState } from '../src/open-state.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { alertList } from '../src/sqlite/lists/alert-list.ts'
import { auditList } from '../src/sqlite/lists/audit-list.ts'
import { selectAllRows } from '../src/sqlite/lists/list-page.ts'
import { ListScans } from '../src/sqlite/lists/list-scans.ts'
import { openDatabase } from '../src/sqlite/query/database.ts'
import { auditFactsWith, auditKey, tenantWith } from './state-samples.ts'

const entryCount = 60
const { signal } = new AbortController()
let path: string
let folder: string
let store: StateStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripline-scans-'))
  path = join(folder, 'state.db')
  store = await openState({ path, auditKey })
  await store.tenants.insert(tenantWith({}))
  await store.transaction(async ({ audit }) => {
    for (let at = 1; at <= entryCount; at++) await audit.append('a', auditFactsWith({ at }))
  })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

test('a scan reads no row before it is asked for its chunk', async () => {
  const database = openDatabase({ path })
  let rowCount = 0
  const parse: typeof auditList.parse = (row) => (rowCount++, auditList.parse(row))
  const seen: (readonly [rowCount: number, length: number])[] = []
  const scan = new ListScans(database.openReader).scan(database.db, { ...auditList, parse }, { tenant: 'a', selection: {}, signal, rowsMax: 25 })
  for await (const entries of scan) seen.push([rowCount, entries.length])
  expect(seen).toEqual([[25, 25], [50, 25], [60, 10]])
  await database.db.destroy()
})

test('as many scans run at once as the limit says; those that end, are left or abort make room', async () => {
  const begin = async (scanSignal = signal) => {
    const scan = store.audit.scan('a', {}, { signal: scanSignal, rowsMax: 1 })[Symbol.asyncIterator]()
    await scan.next()
    return scan
  }
  const scans = []
  for (let n = 1; n < limits.state.scansMax; n++) scans.push(await begin())
  const aborting = new AbortController()
  const aborted = await begin(aborting.signal)
  const refusal = `${limits.state.scansMax} lists are being exported, which is the limit; retry when one of them has ended`
  await expect(begin()).rejects.toThrow(refusal)
  aborting.abort(new Error('too late'))
  await expect(aborted.next()).rejects.toThrow('too late')
  scans.push(await begin())
  await expect(begin()).rejects.toThrow(refusal)
  for (const scan of scans) await scan.return?.()
  let count = 0
  for await (const entries of store.audit.scan('a', {}, { signal })) count += entries.length
  expect(count).toBe(entryCount)
  await (await begin()).return?.()
})

test('a scan of a selection that the list does not support leaves no connection open', async () => {
  const selection = { order: [{ field: 'nothing', direction: 'asc' }] } as const
  for (let n = 0; n <= limits.state.scansMax; n++) {
    const scan = store.audit.scan('a', selection, { signal })[Symbol.asyncIterator]()
    await expect(scan.next()).rejects.toThrow("entries of the trail are not sorted by 'nothing'")
  }
})

test('a scan whose consumer waits makes room when it aborts', async () => {
  const aborting = new AbortController()
  const stalled = Array.from({ length: limits.state.scansMax }, () =>
    store.audit.scan('a', {}, { signal: aborting.signal, rowsMax: 1 })[Symbol.asyncIterator]())
  for (const scan of stalled) await scan.next()
  aborting.abort(new Error('too late'))
  const next = store.audit.scan('a', {}, { signal })[Symbol.asyncIterator]()
  expect((await next.next()).value).toHaveLength(entryCount)
  for (const scan of stalled) await expect(scan.next()).rejects.toThrow('too late')
  await next.return?.()
})

test('a scan ends with its store', async () => {
  const other = await openState({ path, auditKey, use: 'read' })
  const scan = other.audit.scan('a', {}, { signal, rowsMax: 1 })[Symbol.asyncIterator]()
  await scan.next()
  await other.close()
  await expect(scan.next()).rejects.toThrow('statement has been finalized')
})

// A separate sort would hold all rows, and the event loop, before the first chunk.
test.for<[field: string, index: string]>([
  ['created_at', 'alerts_by_created (tenant_id=?)'],
  ['updated_at', 'alerts_by_updated (tenant_id=?)'],
])('a scan by %s reads in the order of an index', async ([field, index]) => {
  const reading = openDatabase({ path })
  const { sql } = selectAllRows(reading.db, alertList, { tenant: 'a', order: [{ field, direction: 'desc' }] }).compile()
  const database = new DatabaseSync(path, { readOnly: true })
  expect(database.prepare(`explain query plan ${sql}`).all().map(({ detail }) => detail)).toEqual([`SEARCH alerts USING INDEX ${index}`])
  database.close()
  await reading.db.destroy()
})
