import { expect, test } from 'vitest'
import { isInNetwork, parseNetwork } from './network.ts'

test.for<[network: string, address: string, isIn: boolean]>([
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.1.16.0/20', '10.1.31.255', true],
  ['10.1.16.0/20', '10.1.32.0', false],
  ['192.0.2.1/32', '192.0.2.1', true],
  ['0.0.0.0/0', '192.0.2.1', true],
  ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ['2001:db8::/32', '2001:DB8:1::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8::/32', '10.0.0.1', false],
  ['10.0.0.0/8', '', false],
  ['10.0.0.0/8', '10.0.0', false],
  ['10.0.0.0/8', 'web-1', false],
])('%s, %s: %s', ([network, address, isIn]) => {
  const parsed = parseNetwork(network)
  expect(parsed !== undefined && isInNetwork(parsed, address)).toBe(isIn)
})

test.for<[text: string]>([
  [''], ['10.0.0.0'], ['10.0.0.0/33'], ['10.0.0.0/-1'], ['10.0.0/8'], ['2001:db8::/129'], ['10.0.0.0/8/8'], ['/8'], ['::/'], [`${'1'.repeat(100)}/8`],
])('%s is no network', ([text]) => {
  expect(parseNetwork(text)).toBeUndefined()
})
