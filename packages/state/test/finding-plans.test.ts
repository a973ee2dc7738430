import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlannedStore } from './query-plans.ts'
import type { PlannedStore } from './query-plans.ts'
import { findingWith } from './state-samples.ts'

let planned: PlannedStore
beforeAll(async () => {
  planned = await openPlannedStore()
})
afterAll(() => planned.close())

// A scan asks for each of its assets: by any other index it would read all that is open of the tenant each time.
const place = 'INDEX asset_findings_by_asset_status (tenant_id=? AND asset_id=? AND status=?'

test('the open findings of an asset are read by that asset', async () => {
  const is = (field: string, value: string) => ({ field, operator: 'eq', value }) as const
  const where = [is('asset_id', 'as1'), is('status', 'open')]
  const [page] = await planned.plansOf(() => planned.store.findings.list('a', { where, order: [{ field: 'severity', direction: 'desc' }], limit: 10 }))
  expect(page).toContain(place)
})

test('the open findings of an asset are counted by that asset', async () => {
  const record = () => planned.store.findings.record(
    'a', [{ assetId: 'as1', isComplete: true, findings: [findingWith({})] }], { source: 'c1', at: 1_000, runAt: 40 },
  )
  const counting = (await planned.plansOf(record)).filter((plan) => plan.includes('CORRELATED SCALAR SUBQUERY'))
  expect(counting.length).toBe(1)
  expect(counting[0]?.split('CORRELATED SCALAR SUBQUERY').slice(1).every((part) => part.includes(place))).toBe(true)
})
