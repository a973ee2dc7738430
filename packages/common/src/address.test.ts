import { expect, test } from 'vitest'
import { normalizeAddress } from './address.ts'

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
