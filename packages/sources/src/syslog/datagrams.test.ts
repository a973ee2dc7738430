import { expect, test } from 'vitest'
import { readKernelDrops } from './kernel-drops.ts'
import { SourceRates } from './source-rates.ts'

test('drops of the kernel are read by port', async () => {
  const table = [
    '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops',
    '  412: 0100007F:1592 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 11 2 0000000000000000 42',
    '  413: 0100007F:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 12 2 0000000000000000 7',
  ].join('\n')
  expect(await readKernelDrops(0x1592, (path) => Promise.resolve(path.endsWith('6') ? '' : table))).toBe(42)
  expect(await readKernelDrops(1, () => Promise.resolve(table))).toBeUndefined()
})

test('a source that sends too much in a second is dropped, and others are not', () => {
  let now = 0
  const rates = new SourceRates(() => now)
  for (let i = 0; i < 20_000; i++) expect(rates.admit('a')).toBe(true)
  expect([rates.admit('a'), rates.admit('b')]).toEqual([false, true])
  now = 1_000
  expect(rates.admit('a')).toBe(true)
})
