import type { ChannelSettings } from '@tripline/model/delivery/channel'
import { afterEach, expect, test } from 'vitest'
import { sendMail } from '../../src/channels/send-mail.ts'
import { openEgress } from '../../src/egress/egress.ts'
import { localPolicy } from '../ingestion/far-server.ts'
import { createCertificate, openMailServer } from './mail-server.ts'
import type { MailServer } from './mail-server.ts'

type MailSettings = Extract<ChannelSettings, { readonly type: 'email' }>

const certificate = createCertificate()
const message = { id: 'cm1', createdAt: Date.UTC(2026, 10, 20, 10) }
/** All names are this machine. */
const { dial } = openEgress(localPolicy, { elapsedMs: () => performance.now(), resolve: () => Promise.resolve(['127.0.0.1']) })
let server: MailServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Sends a mail to a new server with these settings. */
async function send(change: Partial<MailSettings>, { password, text = 'Whoami on web-1' }: { readonly password?: string; readonly text?: string } = {}) {
  const settings: MailSettings = {
    type: 'email', host: 'localhost', port: server?.port ?? 0, security: 'starttls', username: '', from: 'SOC <soc@example.org>',
    to: ['ann@example.org', 'bob@example.org'], caCertificate: certificate.cert, ...change,
  }
  return await sendMail(dial, {
    settings, password, message, subject: 'New alert: Whoami', text, attachments: [], signal: new AbortController().signal,
  })
}

test('a mail goes out over STARTTLS with a password, under an id that stays', async () => {
  server = await openMailServer(certificate)
  for (let i = 0; i < 2; i++) {
    expect(await send({ username: 'tripline' }, { password: 'horse' })).toMatchObject({ error: '', httpStatus: 250 })
  }
  expect(server.mails).toMatchObject([1, 2].map(() => ({
    isSecure: true, user: 'tripline', to: ['ann@example.org', 'bob@example.org'], text: expect.stringContaining('Whoami on web-1') as string,
  })))
  const heads = server.mails.map(({ text }) => text.split('\r\n').filter((line) => /^(?:Message-ID|Date|From|Subject):/i.test(line)))
  expect(heads[1]).toEqual(heads[0])
  expect(heads[0]).toEqual(expect.arrayContaining(['Message-ID: <cm1@example.org>', 'From: SOC <soc@example.org>', 'Subject: New alert: Whoami']))
})

test('a mail goes out over TLS from the first byte', async () => {
  server = await openMailServer({ ...certificate, secure: true })
  expect(await send({ security: 'tls' })).toMatchObject({ error: '' })
  expect(server.mails).toMatchObject([{ isSecure: true }])
})

test.for(['starttls', 'tls'] as const)('a server that is named by its address is checked against it (%s)', async (security) => {
  server = await openMailServer({ ...certificate, secure: security === 'tls' })
  expect(await send({ host: '127.0.0.1', security })).toMatchObject({ error: '' })
  await server.close()
  const other = createCertificate('DNS:localhost,IP:192.0.2.1')
  server = await openMailServer({ ...other, secure: security === 'tls' })
  expect((await send({ host: '127.0.0.1', security, caCertificate: other.cert })).error).toMatch(/certificate is not trusted/)
  expect(server.mails).toEqual([])
})

test('a server that offers no STARTTLS gets no mail where it is required', async () => {
  server = await openMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] })
  expect((await send({})).error).toBe("'localhost' offers no TLS that can be used, or its certificate is not trusted")
  expect(server.mails).toEqual([])
  expect(await send({ security: 'none' })).toMatchObject({ error: '' })
  expect(server.mails).toMatchObject([{ isSecure: false }])
})

test.for<[title: string, change: Partial<MailSettings>, password: string | undefined, error: RegExp]>([
  ['a certificate of an unknown authority', { caCertificate: '' }, undefined, /certificate is not trusted/],
  ['a certificate for another host', { host: 'other.example' }, undefined, /certificate is not trusted/],
  ['a wrong password', { username: 'tripline' }, 'cow', /does not accept the user name or password/],
])('%s is an error, and nothing is sent', async ([, change, password, error]) => {
  server = await openMailServer(certificate)
  const result = await send(change, password === undefined ? {} : { password })
  expect(result.error).toMatch(error)
  expect(result.error).not.toContain('cow')
  expect(server.mails).toEqual([])
})

test('a text cannot end the mail', async () => {
  server = await openMailServer(certificate)
  await send({}, { text: 'x\r\n.\r\nMAIL FROM:<evil@example.org>' })
  expect(server.mails).toHaveLength(1)
  expect(server.mails[0]!.text).toContain('MAIL FROM:<evil@example.org>')
})

test('the egress policy decides where mail may go', async () => {
  const { dial: strict } = openEgress({ allowCidrs: [], allowInsecure: false, dnsServers: [] }, {
    elapsedMs: () => 0, resolve: (host) => Promise.resolve([host === 'public.example' ? '93.184.215.14' : '10.0.0.1']),
  })
  const ask = (host: string, port: number, isSecure = true) => strict({ host, port, ports: [587], isSecure, timeoutMs: 1_000 })
  await expect(ask('private.example', 587)).rejects.toThrow('may not be requested')
  await expect(ask('public.example', 8_025)).rejects.toThrow('port 8025')
  await expect(ask('public.example', 587, false)).rejects.toThrow('without TLS')
  await expect(ask('127.0.0.1', 587)).rejects.toThrow('may not be requested')
})
