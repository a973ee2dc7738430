import { expect, test } from 'vitest'
import { getAddressPrefix } from './address-prefix.ts'

test.for<[address: string, network: string]>([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['::1', '::/64'],
  ['::', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['1::ffff:0:0', '1::/64'],
  ['unknown', 'unknown'],
  ['', ''],
  [':::', ':::'],
])('%s is counted as %s', ([address, network]) => {
  expect(getAddressPrefix(address)).toBe(network)
})
