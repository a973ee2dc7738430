import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findPort } from '../find-port.ts'
import { CollectorWorld } from '../collectors/collector-world.ts'
import { killServerProcesses } from '../server-process.ts'

// A real shipper against a server that is killed three times. `npm run trial:shippers` runs the same at full size.
const messageCount = process.env['TRIPLINE_FULL'] === '1' ? 10_000 : 600
const killCount = 3
/** Events of a request of rsyslog: one whose answer is lost comes again, and with times in whole seconds it is not recognised. */
const batchSize = 50

const rsyslogd = process.env['TRIPLINE_RSYSLOGD'] ?? 'rsyslogd'
const moduleFolder = process.env['TRIPLINE_RSYSLOG_MODULES']
const runs = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0
const hasLogger = runs('logger', '--version')
const isInstalled = hasLogger && runs(rsyslogd, '-v')
/** The server starts four times, which is too long for every run of the tests. */
const runsSyslogNg = process.env['TRIPLINE_FULL'] === '1' && hasLogger && runs('syslog-ng', '--version')

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
    const modules = moduleFolder === undefined ? [] : ['-M', moduleFolder]
    const shipper = spawn(rsyslogd, ['-n', '-f', file, '-i', join(folder, 'pid'), ...modules], { stdio: 'ignore' })
    try {
      let sent = 0
      const send = (count: number): boolean => {
        const lines = Array.from({ length: count }, (_, i) => `Accepted password for root from 203.0.113.9 port ${sent + i} ssh2`).join('\n')
        const { status } = spawnSync('logger', ['--server', '127.0.0.1', '--port', `${input}`, '--tcp', '--tag', 'sshd'], { input: lines })
        if (status === 0) sent += count
        return status === 0
      }
      await expect.poll(() => send(messageCount / (2 * killCount)), { timeout: 120_000 }).toBe(true)
      for (let kill = 0; kill < killCount; kill++) {
        const before = (await findNumbers()).length
        await world.waitFor(findNumbers, ({ length }) => length > before || length === sent)
        await world.stopServer('SIGKILL')
        if (kill < killCount - 1) expect(send(messageCount / killCount)).toBe(true)
        else expect(send(messageCount - sent)).toBe(true)
        await world.startServer()
      }
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
  }, 600_000)
})

/** syslog-ng that takes messages on a port and sends them to the server over TCP, with a buffer on disk. */
function printSyslogNg(input: number): string {
  return `@version: 3.35
options { time-reopen(1); };
source s_in { network(ip("127.0.0.1") port(${input}) transport("tcp")); };
destination d_out {
  network("127.0.0.1" port(${syslogPort}) transport("tcp")
    disk-buffer(dir("${folder}") reliable(yes) disk-buf-size(104857600) mem-buf-size(16777216)));
};
log { source(s_in); destination(d_out); };
`
}

describe.skipIf(!runsSyslogNg)('syslog-ng over TCP', () => {
  test(`finds the server again after each of ${killCount} kills; nothing is acknowledged, so what is missing is counted`, async () => {
    await world.call('POST', '/v1/connectors', { name: 'syslog-ng', type: 'syslog', config: { port: syslogPort, transport: 'tcp' } })
    const input = await findPort()
    const file = join(folder, 'syslog-ng.conf')
    writeFileSync(file, printSyslogNg(input))
    const places = ['--persist-file', join(folder, 'persist'), '--pidfile', join(folder, 'pid'), '--control', join(folder, 'control')]
    const shipper = spawn('syslog-ng', ['--foreground', '--no-caps', '--cfgfile', file, ...places], { stdio: 'ignore' })
    try {
      let sent = 0
      const send = (count: number): boolean => {
        const lines = Array.from({ length: count }, (_, i) => `Accepted password for root from 203.0.113.9 port ${sent + i} ssh2`).join('\n')
        const to = ['--server', '127.0.0.1', '--port', `${input}`, '--tcp', '--rfc3164', '--tag', 'sshd']
        const { status } = spawnSync('logger', to, { input: lines })
        if (status === 0) sent += count
        return status === 0
      }
      const part = messageCount / (killCount + 1)
      await expect.poll(() => send(part), { timeout: 120_000 }).toBe(true)
      for (let kill = 0; kill < killCount; kill++) {
        const first = sent
        await world.waitFor(findNumbers, ({ length }) => length > 0)
        await world.stopServer('SIGKILL')
        expect(send(part)).toBe(true)
        await world.startServer()
        // What was sent while the server was gone comes by itself.
        await world.waitFor(findNumbers, (numbers) => numbers.some((number) => number >= first))
      }
      await world.waitFor(findNumbers, (numbers) => numbers.includes(messageCount - 1))
      await world.settle()
      const found = await findNumbers()
      const distinct = new Set(found).size
      const figures = { shipper: 'syslog-ng', sent, kills: killCount, missing: sent - distinct, repeated: found.length - distinct }
      process.stdout.write(`${JSON.stringify(figures)}\n`)
      expect(found.every((number) => number >= 0 && number < messageCount)).toBe(true)
      const { alerts } = await world.call('GET', '/v1/alerts') as { readonly alerts: readonly unknown[] }
      expect(alerts.length).toBeGreaterThan(0)
    } finally {
      shipper.kill('SIGKILL')
    }
  }, 600_000)
})
