import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findPort } from '../find-port.ts'
import { CollectorWorld } from '../collectors/collector-world.ts'
import { killServerProcesses } from '../server-process.ts'

// A real shipper against a server that is killed three times. `npm run trial:shippers` runs the same at full size.
const messageCount = process.env['TRIPLINE_FULL'] === '1' ? 10_000 : 600
const killCount = 3
/** A trial may be beside other work; what hangs is to end. */
const timeoutMs = process.env['TRIPLINE_FULL'] === '1' ? 1_800_000 : 600_000
/** Events of a request of rsyslog: one whose answer is lost comes again, and with times in whole seconds it is not recognised. */
const batchSize = 50

const rsyslogd = process.env['TRIPLINE_RSYSLOGD'] ?? 'rsyslogd'
const moduleFolder = process.env['TRIPLINE_RSYSLOG_MODULES']
const runs = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0
const hasLogger = runs('logger', '--version')
const isInstalled = hasLogger && runs(rsyslogd, '-v')
const hasSyslogNg = hasLogger && runs('syslog-ng', '--version')

let folder: string
let world: CollectorWorld
let syslogPort: number
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-shipper-kill-'))
  syslogPort = await findPort()
  world = await CollectorWorld.open(folder, ['--syslog-ports', `${syslogPort}`])
})
afterEach(async () => {
  killServerProcesses()
  await world.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** rsyslog that takes messages on a port and sends them to the server as Elasticsearch would get them. */
function printConfiguration(input: number, token: string): string {
  return `global(workDirectory="${folder}")
module(load="imtcp")
module(load="omelasticsearch")
input(type="imtcp" port="${input}" address="127.0.0.1")
template(name="event" type="list" option.jsonf="on") {
  property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="hostname" name="hostname" format="jsonf")
  property(outname="program" name="programname" format="jsonf")
  property(outname="message" name="msg" format="jsonf")
}
action(type="omelasticsearch" server="127.0.0.1" serverport="${new URL(world.url).port}" uid="any" pwd="${token}" bulkmode="on"
       template="event" action.resumeRetryCount="-1" action.resumeInterval="1" queue.type="LinkedList" queue.size="50000"
       queue.dequeueBatchSize="${batchSize}")
`
}

/** How many there are, those twice that are there twice: pages of all would take most of the time. */
const countMessages = (): Promise<number> => world.count('Accepted')

async function findNumbers(): Promise<number[]> {
  const events = await world.search('Accepted')
  return events.map(({ fields }) => Number(/port (\d+)/.exec(String(fields['message']))?.[1])).sort((a, b) => a - b)
}

describe.skipIf(!isInstalled)('rsyslog by omelasticsearch', () => {
  test(`finds the server again after each of ${killCount} kills, and none of its events is missing`, async () => {
    const { ingest } = await world.call('POST', '/v1/connectors', { name: 'rsyslog', type: 'elastic_bulk', config: {} }) as {
      readonly ingest: { readonly token: string }
    }
    const input = await findPort()
    const file = join(folder, 'rsyslog.conf')
    writeFileSync(file, printConfiguration(input, ingest.token))
    const shipper = startRsyslog(file)
    try {
      let sent = 0
      const send = (count: number): boolean => {
        const lines = Array.from({ length: count }, (_, i) => `Accepted password for root from 203.0.113.9 port ${sent + i} ssh2`).join('\n')
        const { status } = spawnSync('logger', ['--server', '127.0.0.1', '--port', `${input}`, '--tcp', '--tag', 'sshd'], { input: lines })
        if (status === 0) sent += count
        return status === 0
      }
      await expect.poll(() => send(Math.floor(messageCount / (2 * killCount))), { timeout: 120_000 }).toBe(true)
      for (let kill = 0; kill < killCount; kill++) {
        const before = await countMessages()
        await world.waitFor(countMessages, (count) => count > before || count >= sent)
        await world.stopServer('SIGKILL')
        if (kill < killCount - 1) expect(send(Math.floor(messageCount / killCount))).toBe(true)
        else expect(send(messageCount - sent)).toBe(true)
        await world.startServer()
      }
      await world.waitFor(countMessages, (count) => count >= messageCount)
      await world.waitFor(findNumbers, (numbers) => new Set(numbers).size >= messageCount)
      await world.settle()
      const found = await findNumbers()
      expect([...new Set(found)]).toEqual(Array.from({ length: messageCount }, (_, i) => i))
      const repeatedCount = found.length - messageCount
      expect(repeatedCount).toBeLessThanOrEqual(killCount * batchSize)
      const figures = { sent: messageCount, kills: killCount, missing: 0, repeated: repeatedCount }
      if (process.env['TRIPLINE_FULL'] === '1') process.stdout.write(`${JSON.stringify(figures)}\n`)
      const { alerts } = await world.call('GET', '/v1/alerts') as { readonly alerts: readonly unknown[] }
      expect(alerts.length).toBeGreaterThan(0)
    } finally {
      shipper.kill('SIGKILL')
    }
  }, timeoutMs)
})

/** A shipper that takes messages on a port and sends them to the server by syslog, where nothing is acknowledged. */
type SyslogShipper = {
  readonly name: string
  readonly transport: 'udp' | 'tcp' | 'tls'
  readonly isInstalled: boolean
  readonly configure: (input: number, certificatePath: string) => string
  readonly start: (configPath: string) => ChildProcess
}

function startRsyslog(configPath: string): ChildProcess {
  const modules = moduleFolder === undefined ? [] : ['-M', moduleFolder]
  return spawn(rsyslogd, ['-n', '-f', configPath, '-i', join(folder, 'pid'), ...modules], { stdio: 'ignore' })
}

function rsyslogBy(transport: 'udp' | 'tcp' | 'tls'): SyslogShipper {
  const tls = 'StreamDriver="gtls" StreamDriverMode="1" StreamDriverAuthMode="x509/name" StreamDriverPermittedPeers="tripline-test"'
  return {
    name: `rsyslog over ${transport.toUpperCase()}`, transport, isInstalled, start: startRsyslog,
    configure: (input, certificatePath) => `global(workDirectory="${folder}"${transport === 'tls' ? ` DefaultNetstreamDriverCAFile="${certificatePath}"` : ''})
module(load="imtcp")
input(type="imtcp" port="${input}" address="127.0.0.1")
action(type="omfwd" target="127.0.0.1" port="${syslogPort}" protocol="${transport === 'udp' ? 'udp' : 'tcp'}" ${transport === 'tls' ? tls : ''}
       ${transport === 'udp' ? '' : 'TCP_Framing="octet-counted"'} template="RSYSLOG_SyslogProtocol23Format"
       action.resumeRetryCount="-1" action.resumeInterval="1" queue.type="LinkedList" queue.size="50000")
`,
  }
}

const syslogNg: SyslogShipper = {
  name: 'syslog-ng over TCP', transport: 'tcp', isInstalled: hasSyslogNg,
  start: (configPath) => {
    const places = ['--persist-file', join(folder, 'persist'), '--pidfile', join(folder, 'pid'), '--control', join(folder, 'control')]
    return spawn('syslog-ng', ['--foreground', '--no-caps', '--cfgfile', configPath, ...places], { stdio: 'ignore' })
  },
  configure: (input) => `@version: 3.35
options { time-reopen(1); };
source s_in { network(ip("127.0.0.1") port(${input}) transport("tcp")); };
destination d_out {
  network("127.0.0.1" port(${syslogPort}) transport("tcp")
    disk-buffer(dir("${folder}") reliable(yes) disk-buf-size(104857600) mem-buf-size(16777216)));
};
log { source(s_in); destination(d_out); };
`,
}

/** Makes the certificate of the listener, and returns what a connector needs of it. */
function createCertificate(certificatePath: string): { readonly tls_cert: string; readonly tls_key: string } {
  const keyPath = join(folder, 'key.pem')
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', keyPath, '-out', certificatePath, '-days', '2', '-subj', '/CN=tripline-test'], { stdio: 'ignore' })
  return { tls_cert: readFileSync(certificatePath, 'utf8'), tls_key: readFileSync(keyPath, 'utf8') }
}

// The server starts four times for each, which is too long for every run of the tests.
const syslogShippers = process.env['TRIPLINE_FULL'] === '1'
  ? [syslogNg, rsyslogBy('tcp'), rsyslogBy('udp'), rsyslogBy('tls')].filter(({ isInstalled: isThere }) => isThere && hasLogger)
  : []

describe.skipIf(syslogShippers.length === 0)('syslog, where nothing is acknowledged and what is missing is counted', () => {
  test.for(syslogShippers)(`$name finds the server again after each of ${killCount} kills`, { timeout: timeoutMs }, async (shipper) => {
    const { name, transport, configure, start } = shipper
    const certificatePath = join(folder, 'certificate.pem')
    const config = { port: syslogPort, transport, ...(transport === 'tls' && createCertificate(certificatePath)) }
    await world.call('POST', '/v1/connectors', { name, type: 'syslog', config })
    const input = await findPort()
    const file = join(folder, 'shipper.conf')
    writeFileSync(file, configure(input, certificatePath))
    const running = start(file)
    try {
      let sent = 0
      const send = (count: number): boolean => {
        const lines = Array.from({ length: count }, (_, i) => `Accepted password for root from 203.0.113.9 port ${sent + i} ssh2`).join('\n')
        const to = ['--server', '127.0.0.1', '--port', `${input}`, '--tcp', '--rfc3164', '--tag', 'sshd']
        const { status } = spawnSync('logger', to, { input: lines })
        if (status === 0) sent += count
        return status === 0
      }
      const part = messageCount / (2 * killCount + 1)
      const untilFound = async (first: number): Promise<void> => await world.waitFor(findNumbers, (numbers) => numbers.some((number) => number >= first))
      await expect.poll(() => send(Math.ceil(part)), { timeout: 120_000 }).toBe(true)
      for (let kill = 0; kill < killCount; kill++) {
        await untilFound(0)
        await world.stopServer('SIGKILL')
        const first = sent
        expect(send(Math.floor(part))).toBe(true)
        await world.startServer()
        // A stream brings by itself what was sent while the server was gone; a datagram is gone with it.
        if (transport !== 'udp') await untilFound(first)
        const next = sent
        expect(send(kill < killCount - 1 ? Math.floor(part) : messageCount - sent)).toBe(true)
        await untilFound(next)
      }
      if (transport !== 'udp') await untilFound(messageCount - 1)
      await world.settle()
      const found = await findNumbers()
      const distinct = new Set(found).size
      const figures = { shipper: name, sent, kills: killCount, missing: sent - distinct, repeated: found.length - distinct }
      process.stdout.write(`${JSON.stringify(figures)}\n`)
      expect(found.every((number) => number >= 0 && number < messageCount)).toBe(true)
      const { alerts } = await world.call('GET', '/v1/alerts') as { readonly alerts: readonly unknown[] }
      expect(alerts.length).toBeGreaterThan(0)
    } finally {
      running.kill('SIGKILL')
    }
  })
})
