import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createApiClient } from './demo-client.ts'

test('names why a request got no answer', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const call = createApiClient(origin, undefined)
  await expect(call('/healthz')).rejects.toThrow(new RegExp(`^${origin}/healthz gave no answer: (other side closed|read ECONNRESET)$`))
  server.close()
  await once(server, 'close')
  await expect(call('/healthz')).rejects.toThrow(/gave no answer: connect ECONNREFUSED/)
})
