import { killCollectors } from '@tripline/collector/test/collector-process'
import { text, writeEvtx } from '@tripline/formats/test/write-evtx'
import { MockScanner } from '@tripline/sources/test/mock-scanner'
import { createRandom, ScannerWorld } from '@tripline/sources/test/scanner-world'
import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPort } from '../find-port.ts'
import { serveScanner } from '../ingestion/far-scanner.ts'
import { answerJson, openFarServer } from '../ingestion/far-server.ts'
import { killServerProcesses } from '../server-process.ts'
import { CollectorWorld } from './collector-world.ts'

let folder: string
let world: CollectorWorld
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-collector-sources-'))
  world = await CollectorWorld.open(folder)
})
afterEach(async () => {
  killCollectors()
  killServerProcesses()
  await world.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A log of Windows with one logon. */
const windowsLog = writeEvtx({
  name: 'Event',
  content: [
    { name: 'System', content: [
      { name: 'Provider', attributes: { Name: 'Microsoft-Windows-Security-Auditing' }, content: undefined },
      { name: 'EventID', content: '4624' }, { name: 'Channel', content: 'Security' }, { name: 'Computer', content: 'dc-1' },
      { name: 'TimeCreated', attributes: { SystemTime: new Date().toISOString() }, content: undefined },
    ] },
    { name: 'EventData', content: [{ name: 'Data', attributes: { Name: 'TargetUserName' }, content: 0 }] },
  ],
}, [[[text('evtx-user')]]])

/** A program that prints one entry as `journalctl` does, and then waits for more, which never come. */
const journalctl = `#!/bin/sh
echo '{"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"'$(date +%s)'000000","MESSAGE":"Accepted password for journal-user",`
  + `"PRIORITY":"6","_HOSTNAME":"db-1","SYSLOG_IDENTIFIER":"sshd","_PID":"7"}'
exec sleep 3600
`

test('events of each kind of source arrive under their product', async () => {
  const [evtx, program, key, cert] = ['security.evtx', 'journalctl', 'key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string, string, string]
  await writeFile(evtx, windowsLog)
  await writeFile(program, journalctl, { mode: 0o755 })
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'], { stdio: 'ignore' })
  const random = createRandom(3)
  const far = await serveScanner(new MockScanner({ world: new ScannerWorld({ assetCount: 12, random, nowMs: Date.now() }), random }))
  const audit = { eventSource: 'iam.amazonaws.com', eventName: 'CreateUser', eventTime: new Date().toISOString(), userName: 'poll-user' }
  const api = await openFarServer(answerJson({ data: [audit] }))
  const [udp, tls] = [await findPort(), await findPort()]
  const id = await world.enrol({
    windows: { type: 'file', paths: [evtx], format: 'evtx' },
    journal: { type: 'journald', start_at: 'beginning', journalctl: program },
    datagrams: { type: 'syslog', host: '127.0.0.1', port: udp, transport: 'udp' },
    encrypted: { type: 'syslog', host: '127.0.0.1', port: tls, transport: 'tls', tls_cert: `file:${cert}`, tls_key: `file:${key}` },
    polled: { type: 'http_poll', url: `${api.url}/logs`, items_path: 'data', poll_interval: 5 },
    scanner: { type: 'vulnerability_scanner', api_url: `${far.url}/api/3`, api_key: 'user:secret' },
  })
  world.collector.start()
  type Status = { readonly name: string; readonly status: string; readonly last_error: string | null }
  const readSources = async () => (await world.collector.status())?.['sources'] as readonly Status[] | undefined
  await world.waitFor(readSources, (sources) => sources?.every(({ status }) => status === 'healthy') === true)
  const login = (user: string): string => `<38>1 ${new Date().toISOString()} db-1 sshd 7 - - Accepted password for ${user}`
  const socket = createSocket('udp4')
  socket.send(login('udp-user'), udp, '127.0.0.1')
  const stream = connect({ port: tls, host: '127.0.0.1', ca: readFileSync(cert) }, () => void stream.end(`${login('tls-user')}\n`))
  const wanted: readonly (readonly [query: string, product: string])[] = [
    ['evtx-user', 'windows'], ['journal-user', 'linux'], ['udp-user', 'linux'], ['tls-user', 'linux'],
    ['poll-user', 'aws'], ['host-12.corp.example', 'vulnerability_scanner'],
  ]
  for (const [query, product] of wanted) {
    await world.waitFor(() => world.search(query), ({ length }) => length > 0)
    expect([query, ...new Set((await world.search(query)).map((event) => event.source_type))]).toEqual([query, product])
  }
  socket.close()
  await far.close()
  await api.close()
  const { sources } = await world.call('GET', `/v1/collectors/${id}`) as { readonly sources: readonly Status[] }
  expect(sources.map(({ name }) => name).sort()).toEqual(['datagrams', 'encrypted', 'journal', 'polled', 'scanner', 'windows'])
  await world.settle()
  const { alerts } = await world.call('GET', '/v1/alerts') as { readonly alerts: readonly unknown[] }
  expect(alerts.length).toBeGreaterThan(0)
  await world.collector.stop('SIGTERM')
})
