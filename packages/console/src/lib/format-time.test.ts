import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { getZoneName, printTime, tenantZone } from './format-time.ts'
import { look } from './look.ts'
import { getZoneOffset } from './zone-offset.ts'

const summer = Date.UTC(2026, 6, 1, 12)
const winter = Date.UTC(2026, 10, 22, 12)

describe('the time zone of the tenant', () => {
  // What a choice changes of the page is not looked at here.
  beforeAll(() => void vi.stubGlobal('document', { documentElement: { dataset: {} } }))
  afterAll(() => void vi.unstubAllGlobals())
  afterEach(() => {
    tenantZone.set('UTC')
    look.update((now) => ({ ...now, theme: 'dark', zone: 'utc' }))
  })

  test.for([
    ['Europe/Berlin', summer, 120, '2026-07-01 14:00:00 GMT+2'],
    ['Europe/Berlin', winter, 60, '2026-11-22 13:00:00 GMT+1'],
    ['Asia/Seoul', winter, 540, '2026-11-22 21:00:00 GMT+9'],
    ['America/New_York', winter, -300, '2026-11-22 07:00:00 EST'],
    ['UTC', winter, 0, '2026-11-22 12:00:00 UTC'],
  ] as const)('%s', ([zone, at, minutes, printed]) => {
    tenantZone.set(zone)
    look.update((now) => ({ ...now, theme: 'dark', zone: 'tenant' }))
    expect(getZoneName()).toBe(zone)
    expect(getZoneOffset(at)).toBe(minutes)
    expect(printTime(at)).toBe(printed)
  })

  test('is not used unless it is chosen', () => {
    tenantZone.set('Asia/Seoul')
    expect(printTime(winter)).toBe('2026-11-22 12:00:00 UTC')
    expect(getZoneOffset(winter)).toBe(0)
  })
})
