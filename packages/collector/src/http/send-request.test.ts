import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest } from './send-request.ts'

const folder = mkdtempSync(join(tmpdir(), 'tripline-send-request-'))
const certificates: { [name: string]: string } = {}
let server: Server
let url: string
beforeAll(async () => {
  for (const name of ['own', 'other']) {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
    const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '2', ...subject], { stdio: 'ignore' })
    certificates[name] = readFileSync(cert, 'utf8')
  }
  server = createServer({ key: readFileSync(join(folder, 'own.key')), cert: certificates['own'] }, (request, response) => {
    if (request.url === '/silent') return
    response.end('x'.repeat(100))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
  rmSync(folder, { recursive: true })
})

const send = (path: string, more: object = {}): Promise<{ readonly status: number }> =>
  sendRequest({ method: 'GET', url: url + path, headers: {}, bytesMax: 100, timeoutMs: 30_000, ...more })

test('a certificate that is pinned is trusted, and no other is', async () => {
  expect(await send('/', { ca: certificates['own'] })).toMatchObject({ status: 200 })
  await expect(send('/', { ca: certificates['other'] })).rejects.toThrow(/certificate/)
  await expect(send('/')).rejects.toThrow(/certificate/)
  expect(await send('/', { verifiesCertificate: false })).toMatchObject({ status: 200 })
})

test.for<[title: string, path: string, more: object, message: RegExp]>([
  ['no answer', '/silent', { timeoutMs: 200 }, /^no response within 200 ms$/],
  ['one that is too long', '/', { bytesMax: 99 }, /^the response has more than 99 bytes$/],
])('%s is an error', async ([, path, more, message]) => {
  await expect(send(path, { verifiesCertificate: false, ...more })).rejects.toThrow(message)
})
