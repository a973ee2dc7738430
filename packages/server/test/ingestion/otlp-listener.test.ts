import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { CollectorWorld } from '../collectors/collector-world.ts'
import { findPort } from '../find-port.ts'
import { killServerProcesses } from '../server-process.ts'

let folder: string
let world: CollectorWorld
let otlp: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-otlp-listener-'))
  const port = await findPort()
  otlp = `http://127.0.0.1:${port}`
  world = await CollectorWorld.open(folder, ['--otlp-listen', `127.0.0.1:${port}`])
})
afterEach(async () => {
  killServerProcesses()
  await world.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

test('OTLP has a listener with its own path, and nothing else is there', async () => {
  const config = { log_source: { product: 'linux', service: 'sshd' } }
  const { ingest } = await world.call('POST', '/v1/connectors', { name: 'OTLP', type: 'otlp_http', config }) as { readonly ingest: { readonly token: string } }
  const authorization = `Bearer ${ingest.token}`
  const record = { timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'Accepted password for root from 203.0.113.9 port 4 ssh2' } }
  const body = gzipSync(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }))
  const headers = { authorization, 'content-type': 'application/json', 'content-encoding': 'gzip' }
  // A stream has no length, so that it is sent in chunks.
  const chunked = new ReadableStream({
    start: (controller) => {
      for (const part of [body.subarray(0, 20), body.subarray(20)]) controller.enqueue(new Uint8Array(part))
      controller.close()
    },
  })
  const sent = await fetch(`${otlp}/v1/logs?x=1`, { method: 'POST', headers, body: chunked, duplex: 'half' })
  expect([sent.status, await sent.json()]).toEqual([200, {}])
  expect((await fetch(`${otlp}/v1/logs`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status).toBe(401)
  await world.waitFor(() => world.count('Accepted'), (count) => count === 1)
  await world.settle()
  const { alerts } = await world.call('GET', '/v1/alerts') as { readonly alerts: readonly unknown[] }
  expect(alerts.length).toBe(1)
  for (const path of ['/', '/healthz', '/v1/alerts', '/v1/traces', '/ingest/otlp/v1/logs', '/v1/logs/../alerts']) {
    expect([path, (await fetch(`${otlp}${path}`, { headers: { authorization } })).status]).toEqual([path, 404])
  }
  const socket = new WebSocket(`${otlp.replace('http', 'ws')}/v1/stream`)
  const opened = await new Promise((resolve) => socket.once('open', () => resolve(true)).once('error', () => resolve(false)))
  expect(opened).toBe(false)
  // The path is the console's on the main listener.
  expect((await fetch(`${world.url}/v1/logs`, { method: 'POST', headers, body })).status).toBe(404)
})
