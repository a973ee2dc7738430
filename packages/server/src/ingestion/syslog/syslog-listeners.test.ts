import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { MessageQueueDeps } from './message-queue.ts'
import { SyslogListeners } from './syslog-listeners.ts'

const deps: MessageQueueDeps = {
  pipeline: { ingest: () => Promise.resolve({ lastOffset: 0 }) },
  turns: { next: () => Promise.resolve(0), elapsedMs: () => 0 },
  now: () => 0, sleep: () => Promise.resolve(), log: { info: () => {}, warn: () => {}, error: () => {} },
}

test('a port that the operator does not allow is refused with those that are', async () => {
  const places = { host: '127.0.0.1', isAllowedPort: () => false, allowedPorts: '5514-5523, 6514', connectionsMax: 1 }
  const connector = { tenant: 'default', id: 'c1', config: { port: 514, transport: 'udp' }, record: () => {} }
  await expect(new SyslogListeners(places, deps).open(connector)).rejects.toThrow(
    'port 514 is not among the ports that the operator allows: 5514-5523, 6514 (--syslog-ports)')
})

// Only Linux tells what its kernel dropped.
test.runIf(existsSync('/proc/net/udp'))('what the kernel dropped since the last check is counted when a listener closes', async () => {
  const listeners = new SyslogListeners({ host: '127.0.0.1', isAllowedPort: () => true, allowedPorts: 'any', connectionsMax: 1 }, deps)
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
