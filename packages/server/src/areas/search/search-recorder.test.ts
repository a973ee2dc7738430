import type { Principal } from '@tripline/model/access/principal'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import { StoreError } from '@tripline/state/ports/store-error'
import { auditKey, tenantWith, userWith } from '@tripline/state/test/state-samples'
import { beforeEach, expect, test } from 'vitest'
import { createSearchRecorder } from './search-recorder.ts'

const run = { query: 'user:alice', from: 'a', to: 'b' }
let store: StateStore
let transactionCount: number
let warnings: string[]
/** What the next transactions throw instead of committing. */
let failures: unknown[]

beforeEach(async () => {
  [transactionCount, warnings, failures] = [0, [], []]
  store = await openMemoryState({ auditKey })
  for (const id of ['a', 'b']) {
    await store.tenants.insert(tenantWith({ id }))
    await store.accounts.insert({ email: 'ann@example.org', passwordHash: undefined, totpSecret: undefined })
    await store.users.insert(id, userWith({}))
  }
})

const callerOf = (tenant: string): Principal => ({
  tenant, actor: { type: 'user', id: 'u1' }, grants: ['viewer'], ip: '192.0.2.1', userAgent: undefined, requestId: 'r1',
})

function openRecorder() {
  const transaction: StateStore['transaction'] = (work) => {
    transactionCount++
    const failure = failures.shift()
    return failure === undefined ? store.transaction(work) : Promise.reject(failure)
  }
  return createSearchRecorder({ state: { transaction }, clock: { now: () => 7 }, log: { warn: (message) => void warnings.push(message) } })
}

async function readFound(tenant: string): Promise<readonly unknown[]> {
  return (await store.audit.list(tenant, { limit: 100 })).entries.toReversed().map(({ diff }) => diff?.['found'])
}

test('a search is on the trail when its record resolves', async () => {
  await openRecorder()(callerOf('a'), { ...run, found: 3 })
  expect((await store.audit.list('a', { limit: 9 })).entries).toMatchObject([
    { at: 7, action: 'search.run', outcome: 'success', actor: { id: 'u1', email: 'Ann@example.org' }, diff: { ...run, found: 3 } },
  ])
})

test('searches at once share commits, in their order', async () => {
  const record = openRecorder()
  const all = Array.from({ length: 40 }, (_, found) => found)
  await Promise.all(all.map((found) => record(callerOf(found % 2 === 0 ? 'a' : 'b'), { ...run, found })))
  expect(transactionCount).toBe(2)
  expect(await readFound('a')).toEqual(all.filter((found) => found % 2 === 0))
  expect(await readFound('b')).toEqual(all.filter((found) => found % 2 === 1))
})

test('a failed group fails only the entries that fail alone', async () => {
  const record = openRecorder()
  failures = [undefined, new Error('damaged'), new Error('damaged')]
  const outcomes = await Promise.allSettled([1, 2, 3].map((found) => record(callerOf('a'), { ...run, found })))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await readFound('a')).toEqual([1, 3])
})

test('a search without room for its entry is logged', async () => {
  failures = [new StoreError('TRANSIENT', 'full')]
  await openRecorder()(callerOf('a'), { ...run, found: 1 })
  expect(warnings).toEqual(['a search could not be recorded in the audit trail'])
  expect(await readFound('a')).toEqual([])
})
