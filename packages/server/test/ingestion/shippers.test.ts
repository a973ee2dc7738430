import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findPort } from '../find-port.ts'
import { connectorTestSchema } from '@tripline/contract/console/sources/connector'
import { connectorTypeListSchema } from '@tripline/contract/console/sources/connector-type'
import { openTestServer } from '../open-test-server.ts'
import type { TestServer } from '../open-test-server.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guide/shippers.md'), 'utf8')

/** The block of the guide behind a mark. */
function readBlock(mark: string): string {
  const [, block] = new RegExp(`<!-- ${mark} -->\n\`\`\`\\w*\n([^\`]+)\`\`\``).exec(guide) ?? []
  if (block === undefined) throw new Error(`the guide has no block '${mark}'`)
  return block
}

const rule = `
title: Refused password
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0078
status: test
logsource: {product: linux, service: sshd}
detection: {keywords: ['Failed password'], condition: keywords}
level: high
`

/** The rule of `npm start` that the line of the guide is an example of. */
const sampleRule = readFileSync(join(import.meta.dirname, '../../../../fixtures/rules/keywords.yml'), 'utf8')
const sampleRuleId = '983bd468-825e-4093-8c92-b99b247b9f6d'

/** Where the shipper is, and its modules; tests of one that is not installed are skipped. */
const rsyslogd = process.env['TRIPLINE_RSYSLOGD'] ?? 'rsyslogd'
const moduleFolder = process.env['TRIPLINE_RSYSLOG_MODULES']
const runs = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0
const hasLogger = runs('logger', '--version')
const hasRsyslog = runs(rsyslogd, '-v')
const hasSyslogNg = runs('syslog-ng', '--version')

let server: TestServer
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-shippers-'))
  server = await openTestServer([rule, sampleRule], { opensPorts: true, isPatient: false })
  await server.app.connectors.runner.start()
})
afterEach(async () => {
  await server.app.connectors.runner.stop()
  await server.app.state.close()
  rmSync(folder, { recursive: true })
})

/** The configuration that the catalogue prints for a connector. */
async function readConfiguration(connectorId: string, type: string, product: string): Promise<string> {
  const { body } = await server.call('GET', `/v1/connector-types?connector_id=${connectorId}`)
  const { connector_types: types } = connectorTypeListSchema.parse(body)
  const configurations = types.find((entry) => entry.type === type)?.configurations ?? []
  const found = configurations.find((entry) => entry.product === product)
  if (found === undefined) throw new Error(`the catalogue has no ${product} for ${type}`)
  expect(found.placeholders).toEqual([])
  return found.text
}

async function openConnector(change: object): Promise<number> {
  return (await openSyslog(change)).port
}

async function openSyslog(change: object): Promise<{ readonly port: number; readonly id: string }> {
  const { config, ...connector } = JSON.parse(readBlock('connector')) as { readonly config: object }
  const port = await findPort()
  const body = { ...connector, config: { ...config, port, ...change } }
  const { status, body: created } = await server.call('POST', '/v1/connectors', { body })
  expect(status).toBe(201)
  const { id } = created as { readonly id: string }
  const health = async (): Promise<string> => JSON.stringify((await server.call('GET', `/v1/connectors/${id}/health`)).body)
  await expect.poll(health).toContain('listening')
  return { port, id }
}

const accepted = (): number => server.app.pipeline.accounting('default').accepted
const guess = 'Failed password for root from 203.0.113.9 port 4711 ssh2'

async function expectMatches(count: number, id = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0078'): Promise<void> {
  await server.app.pipeline.untilIdle()
  const { body } = await server.call('GET', `/v1/detection/rules/${id}/matches`)
  expect((body as { readonly matches: readonly unknown[] }).matches).toHaveLength(count)
}

describe.skipIf(!hasLogger)('logger of util-linux', () => {
  test.for<[what: string, transport: string, args: readonly string[]]>([
    ['UDP, RFC 5424', 'udp', ['--udp', '--rfc5424', '--sd-id', 'zoo@123', '--sd-param', 'tiger="hungry"']],
    ['UDP, RFC 3164', 'udp', ['--udp', '--rfc3164']],
    ['TCP, lines', 'tcp', ['--tcp', '--rfc5424']],
    ['TCP, octet-counted', 'tcp', ['--tcp', '--octet-count', '--rfc3164']],
  ])('%s', async ([, transport, args]) => {
    const port = await openConnector({ transport })
    execFileSync('logger', ['--server', '127.0.0.1', '--port', String(port), ...args, '--tag', 'sshd', guess])
    await expect.poll(accepted).toBe(1)
    await expectMatches(1)
  })

  test('the line of the guide is an alert of a rule that npm start runs', async () => {
    const port = await openConnector({})
    const line = readBlock('logger').replace('5514', String(port))
    expect(spawnSync('sh', ['-c', line]).status).toBe(0)
    await expect.poll(accepted).toBe(1)
    await expectMatches(1, sampleRuleId)
  })
})

describe.skipIf(!hasRsyslog || !hasLogger)('rsyslog with the lines of the guide', () => {
  test('sends all numbered messages, and a refused password raises a match', async () => {
    const { port, id } = await openSyslog({})
    const input = await findPort()
    const file = join(folder, 'rsyslog.conf')
    const lines = await readConfiguration(id, 'syslog', 'rsyslog')
    expect(readBlock('rsyslog').trim()).toBe(lines.replace(`"${port}"`, '"5514"'))
    writeFileSync(file, `global(workDirectory="${folder}")\nmodule(load="imtcp")\ninput(type="imtcp" port="${input}" address="127.0.0.1")\n${lines}`)
    const modules = moduleFolder === undefined ? [] : ['-M', moduleFolder]
    const shipper = spawn(rsyslogd, ['-n', '-f', file, '-i', join(folder, 'pid'), ...modules], { stdio: 'ignore' })
    try {
      const numbered = Array.from({ length: 1_000 }, (_, number) => `number ${number}`).join('\n')
      const send = (tag: string, text: string): boolean =>
        spawnSync('logger', ['--server', '127.0.0.1', '--port', String(input), '--tcp', '--tag', tag], { input: text }).status === 0
      await expect.poll(() => send('app', numbered)).toBe(true)
      expect(send('sshd', guess)).toBe(true)
      await expect.poll(accepted).toBe(1_001)
      await expectMatches(1)
    } finally {
      shipper.kill()
    }
  })
})

describe.skipIf(!hasSyslogNg || !hasLogger)('syslog-ng with the lines of the catalogue', () => {
  test('sends all numbered messages, and a refused password raises a match', async () => {
    const { id } = await openSyslog({})
    const input = await findPort()
    const file = join(folder, 'syslog-ng.conf')
    const lines = await readConfiguration(id, 'syslog', 'syslog-ng')
    const source = `@version: 3.35\nsource s_src { network(ip("127.0.0.1") port(${input}) transport("tcp")); };\n`
    writeFileSync(file, `${source}${lines.replace('disk-buffer(', `disk-buffer(dir("${folder}") `)}\n`)
    const places = ['--persist-file', join(folder, 'persist'), '--pidfile', join(folder, 'pid'), '--control', join(folder, 'control')]
    const shipper = spawn('syslog-ng', ['--foreground', '--no-caps', '--cfgfile', file, ...places], { stdio: 'ignore' })
    try {
      const numbered = Array.from({ length: 1_000 }, (_, number) => `number ${number}`).join('\n')
      const send = (tag: string, text: string): boolean =>
        spawnSync('logger', ['--server', '127.0.0.1', '--port', String(input), '--tcp', '--rfc3164', '--tag', tag], { input: text }).status === 0
      await expect.poll(() => send('app', numbered)).toBe(true)
      expect(send('sshd', guess)).toBe(true)
      await expect.poll(accepted).toBe(1_001)
      await expectMatches(1)
      const { body } = await server.call('POST', `/v1/connectors/${id}/test`)
      const { sample } = connectorTestSchema.parse(body)
      expect(sample).toHaveLength(3)
      expect(JSON.stringify(sample)).toMatch(/"message":"(?:number \d|Failed password)/)
    } finally {
      shipper.kill()
    }
  })
})
