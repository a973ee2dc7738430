import type { StateStore } from '@tripline/state/ports/state-store'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import { auditKey, tenantWith } from '@tripline/state/test/state-samples'
import { settingDefaults } from '@tripline/model/tenant-settings'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forecastRetention } from './retention-forecast.ts'

const hourMs = 3_600_000
const now = Date.UTC(2026, 10, 20, 10, 30)

let state: StateStore
beforeEach(async () => {
  state = await openMemoryState({ auditKey })
  await state.tenants.insert(tenantWith({ id: 'a', settings: { eventsRetentionDays: 30 } }))
})
afterEach(() => state.close())

/** The forecast with 1,000 events of 100 bytes each on disk, and a free space. */
const forecast = (freeBytes: number | undefined, days?: number, eventCount = 1_000) => forecastRetention({
  state, settingDefaults, clock: { now: () => now }, readDisk: () => Promise.resolve(freeBytes === undefined ? undefined : { freeBytes }),
  events: { stats: () => Promise.resolve({ eventCount, storedBytes: eventCount * 100, oldestAt: undefined, newestAt: undefined, dayCount: 1 }) },
}, 'a', days)

/** Events that were accepted in an hour that began so many hours before the last whole one. */
const accept = (hoursAgo: number, value: number) => state.metrics.record('a', [
  { kind: 'count', name: 'events_accepted', label: '', startsAt: Date.UTC(2026, 10, 20, 10) - hoursAgo * hourMs, value },
])

test('without events nothing is forecast', async () => {
  expect(await forecast(5, undefined, 0)).toMatchObject({ measured_hours: 0, forecast_bytes: null, days_until_full: null, events_days: 30 })
})

test('the rate is that of the whole hours since the first event, at most a week', async () => {
  await accept(200, 1_000_000)
  await accept(48, 100)
  await accept(1, 140)
  await accept(0, 999)
  // 240 events in 48 hours, 100 bytes each, for 30 days and one in the trash.
  expect(await forecast(undefined)).toMatchObject({
    measured_hours: 48, events_per_day: 120, bytes_per_day: 12_000, forecast_bytes: 372_000, disk_free_bytes: null, days_until_full: null,
  })
})

test('a disk becomes full where the growth is more than its space', async () => {
  await accept(24, 100)
  // 10,000 bytes a day; 100,000 are stored, 310,000 will be.
  expect(await forecast(210_000)).toMatchObject({ disk_free_bytes: 210_000, days_until_full: null })
  expect(await forecast(209_999)).toMatchObject({ days_until_full: 20 })
  expect(await forecast(209_999, 10)).toMatchObject({ events_days: 10, forecast_bytes: 110_000, days_until_full: null })
})

test('a tenant that is not alone does not see the disk', async () => {
  await accept(24, 100)
  await state.tenants.insert(tenantWith({ id: 'b' }))
  expect(await forecast(1)).toMatchObject({ forecast_bytes: 310_000, disk_free_bytes: null, days_until_full: null })
})
