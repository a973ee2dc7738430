import type { AuditOccurrence } from '@tripline/model/audit'
import { onlyTenant } from '@tripline/model/tenant'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { AuditAggregator } from './audit-aggregator.ts'

const began = Date.UTC(2026, 10, 20, 9)
const clock = { nowMs: began, now: () => clock.nowMs }
const { entriesPerSourceMax, entriesPerTenantMax, entriesAtOnceMax } = limits.audit
let state: StateStore
let warnings: string[]
let trail: AuditAggregator

beforeEach(async () => {
  clock.nowMs = began
  warnings = []
  state = await openMemoryState({ auditKey: Buffer.alloc(32, 1) })
  for (const id of [onlyTenant, 'other']) {
    await state.tenants.insert({ id, name: id, isActive: true, settings: {}, version: 1, createdAt: 0, updatedAt: 0 })
  }
  trail = new AuditAggregator({ state, clock, log: { warn: (message) => void warnings.push(message) } })
})
afterEach(() => state.close())

type Change = { readonly [Name in keyof AuditOccurrence]?: AuditOccurrence[Name] }

function occurrence(change: Change = {}): AuditOccurrence {
  return {
    tenant: onlyTenant, actor: { type: 'user', id: 'ann' }, action: 'search.run', target: { type: 'list', id: 'alerts' },
    outcome: 'success', circumstances: { ip: '192.0.2.1', userAgent: 'curl', requestId: 'request-1' }, ...change,
  }
}

async function readEntries(tenant = onlyTenant) {
  return (await state.audit.list(tenant, { limit: 5_000 })).entries.toReversed()
}

async function readCounts(tenant = onlyTenant): Promise<readonly unknown[]> {
  return (await readEntries(tenant)).map(({ diff }) => diff?.['count'])
}

describe('occurrences are one entry', () => {
  test.for<[title: string, change: Change, counts: readonly number[]]>([
    ['that are the same', {}, [2]],
    ['with other figures', { figures: { found: 3 } }, [2]],
    ['of another request', { circumstances: { ip: '192.0.2.1', userAgent: 'wget', requestId: 'request-2' } }, [2]],
    ['but not of another principal', { actor: { type: 'user', id: 'bob' } }, [1, 1]],
    ['but not of another address', { circumstances: { ip: '192.0.2.2', userAgent: 'curl', requestId: 'request-1' } }, [1, 1]],
    ['but not of another action', { action: 'rule.backtest' }, [1, 1]],
    ['but not of another target', { target: { type: 'list', id: 'rules' } }, [1, 1]],
    ['but not of another outcome', { outcome: 'failed' }, [1, 1]],
    ['but not of another reason', { details: { reason: 'x' } }, [1, 1]],
  ])('%s', async ([, change, counts]) => {
    trail.note(occurrence())
    trail.note(occurrence(change))
    await trail.flush()
    expect(await readCounts()).toEqual(counts)
  })

  test('only within a window, with the time of the first and the last and the last figures', async () => {
    for (const found of [1, 2, 3]) {
      trail.note(occurrence({ details: { text: 'x' }, figures: { found } }))
      clock.nowMs += 1_000
    }
    await trail.flush()
    trail.note(occurrence({ details: { text: 'x' }, figures: { found: 4 } }))
    await trail.flush()
    expect(await readEntries()).toMatchObject([
      { at: began, diff: { text: 'x', found: 3, count: 3, last_at: '2026-11-20T09:00:02.000Z' }, userAgent: 'curl', requestId: 'request-1' },
      { at: began + 3_000, diff: { text: 'x', found: 4, count: 1 } },
    ])
  })

  test('whose secrets are masked', async () => {
    trail.note(occurrence({ details: { text: 'password=hunter2' } }))
    await trail.flush()
    expect(JSON.stringify(await readEntries())).not.toContain('hunter2')
  })
})

describe('a flood', () => {
  const flood = (count: number, change: (index: number) => Change): void => {
    for (let index = 0; index < count; index++) trail.note(occurrence(change(index)))
  }
  const total = async (): Promise<number> => (await readCounts()).reduce((sum: number, count) => sum + Number(count), 0)
  const numbered = (index: number): Change => ({ details: { text: `${index}` } })

  test.for<[title: string, change: (index: number) => Change, entriesMax: number]>([
    ['of one principal', numbered, entriesPerSourceMax + 1],
    ['of failed logins of many users', (index) => ({ actor: { type: 'user', id: `${index}` }, isClaimed: true }), entriesPerSourceMax + 1],
    ['of many principals', (index) => ({ ...numbered(index), actor: { type: 'user', id: `${index % 50}` } }), entriesPerTenantMax + 1],
  ])('%s takes bounded entries, and counts all', async ([, change, entriesMax]) => {
    flood(20_000, change)
    await trail.flush()
    expect([(await readEntries()).length, await total()]).toEqual([entriesMax, 20_000])
    expect((await readEntries()).at(-1)).toMatchObject({ target: { type: 'summary' }, diff: { is_summary: true } })
    expect(await state.audit.verify(onlyTenant)).toMatchObject({ problem: undefined, brokenAt: undefined })
  })

  test('of failed logins leaves what users record whole, and other tenants too', async () => {
    flood(5_000, (index) => ({ actor: { type: 'user', id: `${index}` }, isClaimed: true }))
    trail.note(occurrence({ actor: { type: 'user', id: 'bob' } }))
    trail.note(occurrence({ tenant: 'other' }))
    await trail.flush()
    expect((await readEntries()).at(-1)).toMatchObject({ actor: { id: 'bob' }, diff: { count: 1 } })
    expect(await readCounts('other')).toEqual([1])
  })
})

describe('entries that cannot be written', () => {
  test('are kept with what comes meanwhile, and each is counted once', async () => {
    const failing = { isBroken: true }
    const transaction: StateStore['transaction'] = async (work) =>
      await state.transaction(async (stores) => {
        const result = await work(stores)
        if (failing.isBroken) throw new Error('the disk is full')
        return result
      })
    trail = new AuditAggregator({ state: { transaction }, clock, log: { warn: () => undefined } })
    for (let index = 0; index < entriesAtOnceMax + 10; index++) trail.note(occurrence({ details: { index } }))
    await expect(trail.flush()).rejects.toThrow('the disk is full')
    expect(await readEntries()).toEqual([])
    trail.note(occurrence({ details: { index: 0 } }))
    failing.isBroken = false
    await trail.flush()
    await trail.flush()
    expect(await readCounts()).toEqual([2, ...Array<number>(entriesAtOnceMax + 9).fill(1)])
  })

  test('of a tenant that does not exist are reported and dropped', async () => {
    trail.note(occurrence({ tenant: 'gone' }))
    await trail.flush()
    await trail.flush()
    expect(warnings).toEqual(['actions of a tenant that does not exist were not recorded'])
  })
})

test('two flushes at once write each entry once', async () => {
  trail.note(occurrence())
  await Promise.all([trail.flush(), trail.flush()])
  expect(await readCounts()).toEqual([1])
})
