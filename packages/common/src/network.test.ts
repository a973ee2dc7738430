import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAddress } from './address.ts'
import { containsAddress, isInNetworks, listEnclosingNetworks, normalizeNetwork, parseNetwork } from './network.ts'

test.for<[networks: string[], address: string, isIn: boolean]>([
  [['10.0.0.0/8'], '10.255.0.1', true],
  [['10.0.0.0/8'], '11.0.0.1', false],
  [['10.1.16.0/20'], '10.1.31.255', true],
  [['10.1.16.0/20'], '10.1.32.0', false],
  [['192.0.2.1/32'], '192.0.2.1', true],
  [['192.0.2.1/24'], '192.0.2.200', true],
  [['192.0.2.0/24', '192.0.3.7/32'], '192.0.3.7', true],
  [['0.0.0.0/0'], '192.0.2.1', true],
  [['2001:db8::/32'], '2001:DB8:1::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:db8::/32'], '10.0.0.1', false],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
  [['10.0.0.0/8'], '::ffff:a00:1', true],
  [['::ffff:10.0.0.0/104'], '10.0.0.1', true],
  [['::ffff:10.0.0.0/104'], '::ffff:10.0.0.1', true],
  [['::/0'], '10.0.0.1', false],
  [['::/0'], '::ffff:10.0.0.1', false],
  [['::/0', '0.0.0.0/0'], '::ffff:10.0.0.1', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['10.0.0.0/8'], '', false],
  [['10.0.0.0/8'], '10.0.0', false],
  [['10.0.0.0/8', '::/0'], 'web-1', false],
  [['10.0.0.0', 'nonsense'], '10.0.0.0', false],
  [[], '10.0.0.1', false],
])('%j, %s: %s', ([networks, address, isIn]) => {
  expect(isInNetworks(networks, address)).toBe(isIn)
})

test.for<[text: string, normal: string | undefined]>([
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['192.0.2.129/25', '192.0.2.128/25'],
  ['192.0.2.1/32', '192.0.2.1/32'],
  ['1.2.3.4/0', '0.0.0.0/0'],
  ['2001:DB8:ffff::1/32', '2001:db8::/32'],
  ['::ffff:10.1.1.1/104', '10.0.0.0/8'],
  ['::ffff:10.1.1.1/95', undefined],
  ['10.0.0.0/33', undefined],
  ['10.0.0.0/ 8', undefined],
  ['10.0.0/8', undefined],
  ['fe80::1%eth0/64', undefined],
  ['example.org/24', undefined],
  ['/8', undefined],
  ['::/', undefined],
  ['', undefined],
  [`${'1'.repeat(100)}/8`, undefined],
  ['2001:db8::/129', undefined],
  ['10.0.0.0', undefined],
  ['10.0.0.0/', undefined],
  ['10.0.0.0/-1', undefined],
  ['10.0.0.0/8/8', undefined],
])('network %s is %s', ([text, normal]) => {
  expect(normalizeNetwork(text)).toBe(normal)
})

const seed = 2_026
const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())

test(`an address is in the networks that a bitwise comparison finds, seed ${seed}`, () => {
  fc.assert(
    fc.property(anyAddress, anyAddress, fc.nat(128), (text, base, length) => {
      const network = normalizeNetwork(`${base}/${length}`)
      const address = parseAddress(text)
      if (network === undefined || address === undefined) return
      const isIn = isInside(text, network)
      expect(listEnclosingNetworks(address).includes(network)).toBe(isIn)
      expect(containsAddress(parseNetwork(network)!, text)).toBe(isIn)
      expect(listEnclosingNetworks(parseAddress(network.split('/')[0] ?? '') ?? new Uint8Array())).toContain(network)
    }),
    { seed, numRuns: 500 },
  )
})

/** The slow way: as texts of bits. */
function isInside(text: string, network: string): boolean {
  const [base = '', length = ''] = network.split('/')
  const [bits, baseBits] = [bitsOf(text), bitsOf(base)]
  return bits.length === baseBits.length && bits.slice(0, Number(length)) === baseBits.slice(0, Number(length))
}

function bitsOf(text: string): string {
  return [...(parseAddress(text) ?? [])].map((byte) => byte.toString(2).padStart(8, '0')).join('')
}
