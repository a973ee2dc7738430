import { describe, expect, test } from 'vitest'
import { createRandomUuid, createUuidV7, deriveMatchId } from './ids.ts'
import type { MatchOrigin } from './ids.ts'

const origin: MatchOrigin = {
  tenant: 'default', ruleId: 'r', ruleVersion: 1, acceptedAt: 0x01a1f7b91480, eventId: undefined, eventOffset: 7,
}

test('a UUIDv7 is 48 bits of time, its version and variant, and the random bytes', () => {
  expect(createUuidV7(0x0123456789ab, (count) => new Uint8Array(count).fill(0xff))).toBe('01234567-89ab-7fff-bfff-ffffffffffff')
  expect(createUuidV7(0, (count) => new Uint8Array(count))).toBe('00000000-0000-7000-8000-000000000000')
})

test('a random UUID is random bytes but for its version and variant', () => {
  expect(createRandomUuid((count) => new Uint8Array(count).fill(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
  expect(createRandomUuid((count) => new Uint8Array(count))).toBe('00000000-0000-4000-8000-000000000000')
})

describe('the id of a match', () => {
  test('is a UUID of version 8 that begins with the accepted time', () => {
    expect(deriveMatchId(origin)).toMatch(/^01a1f7b9-1480-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('is equal for equal origins', () => {
    expect(deriveMatchId({ ...origin })).toBe(deriveMatchId(origin))
  })

  test.for<[title: string, change: Partial<MatchOrigin>]>([
    ['tenant', { tenant: 'other' }],
    ['rule', { ruleId: 's' }],
    ['version of the rule', { ruleVersion: 2 }],
    ['accepted time', { acceptedAt: origin.acceptedAt + 1 }],
    ['event', { eventOffset: 8 }],
    ['event, by its id', { eventId: '7' }],
  ])('differs with the %s', ([, change]) => {
    expect(deriveMatchId({ ...origin, ...change })).not.toBe(deriveMatchId(origin))
  })

  test('of an event with an id does not depend on its offset', () => {
    expect(deriveMatchId({ ...origin, eventId: 'e', eventOffset: 1 })).toBe(deriveMatchId({ ...origin, eventId: 'e', eventOffset: 2 }))
  })
})
