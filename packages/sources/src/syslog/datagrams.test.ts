import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readKernelDrops } from './kernel-drops.ts'
import { openSyslogSockets } from './open-sockets.ts'
import { SourceRates } from './source-rates.ts'
import { StreamConnections } from './stream-connections.ts'

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

// Only Linux tells what its kernel dropped.
test.runIf(existsSync('/proc/net/udp'))('each datagram is taken or counted as dropped by the kernel', async () => {
  let takenCount = 0
  const sockets = await openSyslogSockets({
    host: '127.0.0.1', port: 0, transport: 'udp', framing: 'auto', isAllowed: () => true, onDropped: () => {}, onError: () => {},
    take: () => {
      takenCount++
      return true
    },
    // A second for each datagram: the limit of a source is not what drops here.
    now: () => takenCount * 1_000, connections: new StreamConnections(1).openListener({ max: 1, perAddressMax: 1 }),
  })
  const sender = createSocket('udp4')
  try {
    const sentCount = 15_000
    const bytes = Buffer.alloc(2_000, 'x')
    await Promise.all(Array.from({ length: sentCount }, () => new Promise((resolve) => sender.send(bytes, sockets.port, '127.0.0.1', resolve))))
    await expect.poll(async () => takenCount + await sockets.readKernelDrops()).toBe(sentCount)
  } finally {
    sender.close()
    await sockets.close()
  }
})
