import { describe, expect, test } from 'vitest'
import { isInNetworks, isNetwork } from './networks.ts'

test.for<[text: string, answer: boolean]>([
  ['192.0.2.0/24', true],
  ['192.0.2.1/32', true],
  ['0.0.0.0/0', true],
  ['2001:db8::/32', true],
  ['::ffff:192.0.2.0/120', true],
  ['192.0.2.0', false],
  ['192.0.2.0/33', false],
  ['192.0.2.0/', false],
  ['192.0.2.0/ 8', false],
  ['192.0.2.0/-1', false],
  ['192.0.2.0/24/24', false],
  ['192.0.2/24', false],
  ['2001:db8::/129', false],
  ['fe80::1%eth0/64', false],
  ['example.org/24', false],
  ['', false],
])('%j is a network: %s', ([text, answer]) => {
  expect(isNetwork(text)).toBe(answer)
})

describe('an address in networks', () => {
  test.for<[address: string, networks: string[], answer: boolean]>([
    ['192.0.2.7', ['192.0.2.0/24'], true],
    ['192.0.3.7', ['192.0.2.0/24'], false],
    ['192.0.3.7', ['192.0.2.0/24', '192.0.3.7/32'], true],
    ['192.0.2.200', ['192.0.2.1/24'], true],
    ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['192.0.2.7', ['::/0'], true],
    ['192.0.2.7', ['2001:db8::/32'], false],
    ['192.0.2.7', ['0.0.0.0/0'], true],
    ['', ['0.0.0.0/0'], false],
    ['nonsense', ['0.0.0.0/0', '::/0'], false],
  ])('%s in %j: %s', ([address, networks, answer]) => {
    expect(isInNetworks(address, networks)).toBe(answer)
  })
})
