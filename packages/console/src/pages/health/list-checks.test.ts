import type { SystemHealthBody } from '@tripline/contract/console/health'
import { beforeAll, expect, test } from 'vitest'
import { loadLanguage } from '../../i18n/translate.ts'
import { listChecks } from './list-checks.ts'

beforeAll(() => loadLanguage('en'))

const service = { status: 'up', replicas: 1, healthy_replicas: 1, since: '2026-11-20T10:00:00.000Z', reason: null } as const
const fine: SystemHealthBody = {
  status: 'healthy',
  timestamp: '2026-01-01T00:00:00.000Z',
  services: { 'connector-service': service, 'normalizer-service': service, 'detection-service': service, 'enrichment-service': service },
  checks: {
    loop_lag_ms: 3,
    loop_on_time: true,
    queues_moving: true,
    store_writable: true,
    store_write_ms: 1.5,
    queue_sync_ms: null,
    disk: { state: 'ok', free_bytes: 40_000_000_000, size_bytes: 100_000_000_000 },
    clock_plausible: true,
    events_lost: 0,
    events_not_searchable: 0,
    stored_events_lost: 0,
    rows_damaged: 0,
    webhooks_failing: 0,
    expiring: [],
    data_intact: true,
    data_verified_at: '2026-01-01T00:00:00.000Z',
  },
}

test('in order, every check says so', () => {
  expect(listChecks(fine).map(({ isOk }) => isOk)).toEqual(Array.from({ length: 12 }, () => true))
})

test.for<{ readonly checks: Partial<SystemHealthBody['checks']>; readonly text: RegExp }>([
  { checks: { loop_on_time: false, loop_lag_ms: 400 }, text: /400 ms lag/ },
  { checks: { queues_moving: false }, text: /stands still/ },
  { checks: { store_writable: false }, text: /takes no events/ },
  { checks: { disk: { state: 'low', free_bytes: 14_200_000_000, size_bytes: 100_000_000_000 } }, text: /falls short: 14\.2 GB of 100 GB/ },
  { checks: { disk: { state: 'nearly_full', free_bytes: 900_000, size_bytes: 12_000_000 } }, text: /nearly full: 900 kB of 12 MB free/ },
  { checks: { disk: { state: 'full', free_bytes: 1, size_bytes: 1_000_000_000_000 } }, text: /No event is accepted/ },
  { checks: { clock_plausible: false }, text: /nothing is removed by age/ },
  { checks: { events_lost: 1 }, text: /^1 event was lost/ },
  { checks: { events_lost: 1_500 }, text: /^1,500 events were lost/ },
  { checks: { stored_events_lost: 2 }, text: /^2 stored events/ },
  { checks: { rows_damaged: 3 }, text: /^3 rows/ },
  { checks: { webhooks_failing: 1 }, text: /^1 webhook fails/ },
  { checks: { expiring: [{ kind: 'api_key', name: 'Dashboard', expires_at: '2026-01-02T00:00:00.000Z' }] }, text: /expires? .*Dashboard/ },
  { checks: { data_intact: false }, text: /found damage \(2026/ },
])('$text comes first', ({ checks, text }) => {
  const [first, second] = listChecks({ ...fine, checks: { ...fine.checks, ...checks } })
  expect(first).toMatchObject({ isOk: false, text: expect.stringMatching(text) as string })
  expect(second?.isOk).toBe(true)
})

test('what is written to takes its time, once that is known', () => {
  const texts = listChecks({ ...fine, checks: { ...fine.checks, queue_sync_ms: 12 } }).map(({ text }) => text)
  expect(texts).toEqual(expect.arrayContaining([expect.stringMatching(/12 ms/), expect.stringMatching(/1\.5 ms/)]))
  expect(listChecks(fine).map(({ text }) => text)).toContain('Every queue moves.')
})

test('events that searches do not find yet are no fault', () => {
  const [first] = listChecks({ ...fine, checks: { ...fine.checks, events_not_searchable: 7 } })
  expect(first).toMatchObject({ isOk: undefined, text: 'Searches do not find 7 accepted events yet.' })
})

test('a disk that the system does not report is left out', () => {
  expect(listChecks({ ...fine, checks: { ...fine.checks, disk: null } }).map(({ id }) => id)).not.toContain('disk')
})

test('data that was not verified yet is neither', () => {
  const [first] = listChecks({ ...fine, checks: { ...fine.checks, data_intact: null, data_verified_at: null } })
  expect(first).toMatchObject({ isOk: undefined, text: expect.stringContaining('not verified yet') as string })
})
