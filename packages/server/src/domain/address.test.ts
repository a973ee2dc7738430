import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networksOf, normalizeAddress, normalizeNetwork, parseAddress } from './address.ts'

test.for<[text: string, normal: string | undefined]>([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:0db8::0001', '2001:db8::1'],
  ['::', '::'],
  ['::1', '::1'],
  ['1::', '1::'],
  ['fe80::1%eth0', 'fe80::1'],
  ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
  ['010.1.1.1', undefined],
  ['1.2.3', undefined],
  ['1.2.3.4.5', undefined],
  ['256.1.1.1', undefined],
  ['0x7f.0.0.1', undefined],
  ['2130706433', undefined],
  ['1::2::3', undefined],
  ['[::1]', undefined],
  ['', undefined],
  ['-', undefined],
])('address %s is %s', ([text, normal]) => {
  expect(normalizeAddress(text)).toBe(normal)
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

test(`an address is in the networks that a comparison of bits finds it in, seed ${seed}`, () => {
  fc.assert(
    fc.property(anyAddress, anyAddress, fc.nat(128), (text, base, length) => {
      const network = normalizeNetwork(`${base}/${length}`)
      const address = parseAddress(text)
      if (network === undefined || address === undefined) return
      expect(networksOf(address).includes(network)).toBe(isInside(text, network))
      expect(networksOf(parseAddress(network.split('/')[0] ?? '') ?? new Uint8Array())).toContain(network)
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
