import { expect, test } from 'vitest'
import { estimatePredicateWork } from '@tripline/engine'
import { limits, lowerQuery, parseQuery } from '../src/index.ts'

/**
 * Work units of the largest query, compiled in about 10 ms: the limits of a query bound it, so that queries are compiled
 * at once, and need no worker thread as rules do.
 */
const workMax = 120_000

function repeat(text: (i: number) => string, joint: string, count: number = limits.termsMax): string {
  return Array.from({ length: count }, (_, i) => text(i)).join(joint)
}

test.for<[what: string, text: string]>([
  ['fields with the most names', repeat(() => 'user:x', ' OR ')],
  ['addresses', repeat((i) => `ip:10.0.${i}.0/24`, ' OR ')],
  ['parts of fields', repeat((i) => `user:*a${i}*`, ' OR ', limits.wildcardsMax)],
  ['bare words', repeat((i) => `w${i}`, ' ')],
  ['negated words', repeat((i) => `NOT host:w${i}`, ' AND ')],
  ['fields of one letter', repeat((i) => `${String.fromCharCode(97 + (i % 26))}:1`, ' OR ')],
  ['the longest word', `user:${'x'.repeat(limits.queryBytesMax - 10)}`],
])('%s', ([, text]) => {
  const work = estimatePredicateWork(lowerQuery(parseQuery(text)))
  expect(work).toBeGreaterThan(0)
  expect(work).toBeLessThanOrEqual(workMax)
})
