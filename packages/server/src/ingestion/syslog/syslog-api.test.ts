import { AppError } from '@tripline/contract/app-error'
import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const sshRule = `
title: Refused password
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0077
status: test
logsource:
  product: linux
  service: sshd
detection:
  keywords: ['Failed password']
  condition: keywords
level: high
`

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([sshRule], { opensPorts: true, isPatient: false })
  await server.app.connectors.runner.start()
})
afterEach(async () => {
  await server.app.connectors.runner.stop()
  await server.app.state.close()
})

/** A port that was free a moment ago. */
async function findPort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => void probe.close(resolve))
  return port
}

async function listen(config: object): Promise<{ readonly id: string; readonly port: number }> {
  const port = await findPort()
  const { body, status } = await server.call('POST', '/v1/connectors', { body: { name: 'Syslog', type: 'syslog', config: { port, ...config } } })
  expect(status).toBe(201)
  const { id } = body as { readonly id: string }
  await expect.poll(async () => await getHealth(id)).toContain('listening')
  return { id, port }
}

async function getHealth(id: string): Promise<string> {
  const { body } = await server.call('GET', `/v1/connectors/${id}/health`)
  const { checks } = body as { readonly checks: readonly { readonly message: string }[] }
  return checks.map(({ message }) => message).join('; ')
}

async function sendTcp(port: number, text: string): Promise<void> {
  // Where TLS is spoken the connection is broken.
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await new Promise<void>((resolve) => void socket.once('connect', resolve))
  socket.end(text)
  await new Promise((resolve) => void socket.once('close', resolve))
}

async function sendUdp(port: number, texts: readonly string[]): Promise<void> {
  const socket = createSocket('udp4')
  for (const text of texts) await new Promise((resolve) => {
    socket.send(text, port, '127.0.0.1', resolve)
  })
  socket.close()
}

const accepted = () => server.app.pipeline.accounting('default').accepted

const guess = '<38>Nov 20 09:59:58 web-1 sshd[411]: Failed password for root from 203.0.113.9 port 4711 ssh2'

test('a message over UDP raises the alert of a rule for its program', async () => {
  const { port, id } = await listen({ transport: 'udp' })
  await sendUdp(port, [guess, '<38>1 2026-11-20T09:59:59Z web-1 cron 1 - - run'])
  await expect.poll(accepted).toBe(2)
  await server.app.pipeline.untilIdle()
  await expect.poll(async () => (await server.call('GET', '/v1/alerts')).body).toMatchObject({ alerts: [{ rule_title: 'Refused password' }] })
  const { body } = await server.call('GET', `/v1/connectors/${id}`)
  expect(body).toMatchObject({ stats: { events_received_total: 2 } })
})

test('a stream over TCP may mix framings, and ends with a message without one', async () => {
  const { port } = await listen({ transport: 'tcp' })
  await sendTcp(port, `${guess}\n${guess.length} ${guess}${guess}`)
  await expect.poll(accepted).toBe(3)
})

test('a stream over TLS is heard, and one in plain text is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-syslog-tls-'))
  const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const subject = ['-subj', '/CN=tripline', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', keyPath, '-out', certPath, '-days', '2', ...subject], { stdio: 'ignore' })
  const [key, cert] = [readFileSync(keyPath, 'utf8'), readFileSync(certPath, 'utf8')]
  rmSync(folder, { recursive: true })
  const { port } = await listen({ transport: 'tls', tls_key: key, tls_cert: cert })
  await sendTcp(port, `${guess}\n`)
  const stream = connectTls({ port, host: '127.0.0.1', ca: cert }, () => void stream.end(`${guess.length} ${guess}${guess}\n`))
  await expect.poll(accepted).toBe(2)
})

test('senders outside the allowed networks are not heard', async () => {
  const [tcp, udp] = [await listen({ transport: 'tcp', allowed_cidrs: ['10.0.0.0/8'] }), await findPort()]
  await sendTcp(tcp.port, `${guess}\n`)
  expect(udp).not.toBe(tcp.port)
  await server.app.connectors.runner.stop()
  expect(accepted()).toBe(0)
})

test('while the pipeline is full, nothing is lost on a stream', async () => {
  const { port } = await listen({ transport: 'tcp' })
  const ingest = vi.spyOn(server.app.pipeline, 'ingest').mockRejectedValue(new AppError('RATE_LIMITED', 'full'))
  await sendTcp(port, Array.from({ length: 500 }, (_, i) => `<13>Nov 20 09:00:00 h a: ${i}\n`).join(''))
  await expect.poll(() => ingest.mock.calls.length).toBeGreaterThan(1)
  expect(accepted()).toBe(0)
  ingest.mockRestore()
  await expect.poll(accepted).toBe(500)
})

test('at the limit of connections the one that sent longest ago gives way', async () => {
  const { port } = await listen({ transport: 'tcp' })
  const sockets: Socket[] = []
  for (let i = 0; i < 8; i++) {
    const socket = connect(port, '127.0.0.1')
    await new Promise<void>((resolve) => void socket.once('connect', resolve))
    socket.write(`<13>Nov 20 09:00:00 h a: ${i}\n`)
    await expect.poll(accepted).toBe(i + 1)
    sockets.push(socket)
  }
  const closed = new Promise((resolve) => void sockets[0]?.once('close', resolve))
  await sendTcp(port, `${guess}\n`)
  await closed
  await expect.poll(accepted).toBe(9)
  expect(sockets.slice(1).every((socket) => !socket.destroyed)).toBe(true)
  for (const socket of sockets) socket.destroy()
})

test('silent connections of one address keep out neither others nor its own messages', async () => {
  const { port } = await listen({ transport: 'tcp', connections_per_address_max: 2 })
  const silent: Socket[] = []
  for (let i = 0; i < 5; i++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {}).resume()
    await new Promise<void>((resolve) => void socket.once('connect', resolve))
    silent.push(socket)
  }
  await sendTcp(port, `${guess}\n`)
  await expect.poll(accepted).toBe(1)
  await expect.poll(() => silent.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(4)
  for (const socket of silent) socket.destroy()
})

describe('a test of settings', () => {
  const probe = async (config: object): Promise<unknown> => (await server.call('POST', '/v1/connectors/new/test', { body: { type: 'syslog', config } })).body

  test('opens the port for a moment', async () => {
    const port = await findPort()
    expect(await probe({ port })).toMatchObject({ checks: [{ status: 'pass', message: `listening on UDP 127.0.0.1:${port}` }, {}, {}] })
    await listen({ port })
  })

  test('tells that a port is in use', async () => {
    const { port, id } = await listen({ transport: 'tcp' })
    expect(await probe({ port, transport: 'tcp' })).toMatchObject({ status: 'unhealthy', checks: [{ status: 'fail', message: `port ${port} is in use` }, {}, {}] })
    expect((await server.call('POST', `/v1/connectors/${id}/test`)).body).toMatchObject({ checks: [{ status: 'pass' }, {}, {}] })
  })

  test('tells that a certificate cannot be used', async () => {
    const port = await findPort()
    expect(await probe({ port, transport: 'tls', tls_cert: 'x', tls_key: 'y' })).toMatchObject({ checks: [{ status: 'fail', message: expect.stringContaining('certificate') }, {}, {}] })
  })
})
