import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { TenantLoad } from './tenant-load.ts'

const { activeMs, heavyMs, usageMs } = limits.fairness

/** Works for a tenant as large a part of the time, for some time; returns what the load says then. */
function runLoad(shares: { readonly [tenant: string]: number }, lengthMs = 5 * usageMs) {
  const clock = { ms: 0 }
  const load = new TenantLoad(() => clock.ms)
  for (; clock.ms < lengthMs; clock.ms += 10) {
    for (const [tenant, share] of Object.entries(shares)) load.charge(tenant, 10 * share)
  }
  return { load, clock }
}

const heavyPart = heavyMs / usageMs

test.for<readonly [share: number, isHeavy: boolean]>([
  [0, false], [0.5 * heavyPart, false], [0.9 * heavyPart, false], [1.1 * heavyPart, true], [1, true],
])('a tenant that works %d of the time is heavy: %s', ([share, isHeavy]) => {
  expect(runLoad({ a: share }).load.isHeavy('a')).toBe(isHeavy)
})

test.for<readonly [title: string, shares: { readonly [tenant: string]: number }, hasLight: boolean]>([
  ['none', {}, false],
  ['a heavy one', { loud: 1 }, false],
  ['heavy ones', { a: 0.5, b: 0.5 }, false],
  ['a heavy one and a light one', { loud: 0.5, quiet: 0.01 }, true],
  ['a heavy one and one that only asks', { loud: 0.5, quiet: 0 }, true],
])('among %s there is a light tenant: %s', ([, shares, hasLight]) => {
  expect(runLoad(shares).load.hasLight).toBe(hasLight)
})

test('a heavy tenant is light again some time after its work', () => {
  const { load, clock } = runLoad({ loud: 1 })
  expect(load.isHeavy('loud')).toBe(true)
  clock.ms += 3 * usageMs
  expect([load.isHeavy('loud'), load.hasLight]).toEqual([false, true])
})

test('a heavy tenant that waits for turns is heavy until it does not', () => {
  const { load, clock } = runLoad({ loud: 1 })
  load.beginWait('loud')
  load.beginWait('loud')
  clock.ms += 10 * activeMs
  load.charge('quiet', 1)
  load.endWait('loud')
  clock.ms += activeMs
  expect([load.isHeavy('loud'), load.hasLight]).toEqual([true, true])
  load.endWait('loud')
  clock.ms += 3 * usageMs
  expect(load.isHeavy('loud')).toBe(false)
})

test('a tenant that asks for much is heavy', () => {
  const { load } = runLoad({ loud: 0.1 * heavyPart })
  load.expectMuch('loud')
  expect([load.isHeavy('loud'), load.isHeavy('quiet')]).toEqual([true, false])
})

test('a tenant that was idle for long does not count as active', () => {
  const { load, clock } = runLoad({ loud: 1, quiet: 0.01 })
  clock.ms += activeMs + 1
  load.charge('loud', heavyMs * 2)
  expect(load.hasLight).toBe(false)
})
