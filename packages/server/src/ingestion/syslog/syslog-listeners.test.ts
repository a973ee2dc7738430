import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SyslogListeners } from './syslog-listeners.ts'

// Only Linux tells what its kernel dropped.
test.runIf(existsSync('/proc/net/udp'))('what the kernel dropped since the last check is counted when a listener closes', async () => {
  const listeners = new SyslogListeners({ host: '127.0.0.1', isAllowedPort: () => true, connectionsMax: 1 }, {
    pipeline: { ingest: () => Promise.resolve({ lastOffset: 0 }) },
    turns: { next: () => Promise.resolve(0), elapsedMs: () => 0 },
    now: () => 0, sleep: () => Promise.resolve(), log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  let refusedCount = 0
  const listener = await listeners.open({
    tenant: 'default', id: 'c1', config: { port: 0, transport: 'udp' }, record: (counts) => (refusedCount += counts.refusedCount),
  })
  const sender = createSocket('udp4')
  // Sent within one turn of the event loop, so that nothing is read meanwhile: several times what the buffer holds.
  const bytes = Buffer.alloc(2_000, 'x')
  const sent = Array.from({ length: 15_000 }, () => new Promise((resolve) => sender.send(bytes, listener.port, '127.0.0.1', resolve)))
  await sent[0]
  await listener.close()
  expect(refusedCount).toBeGreaterThan(0)
  await Promise.all(sent)
  sender.close()
})
