import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CollectorWorld } from '../collectors/collector-world.ts'
import { killServerProcesses } from '../server-process.ts'

// OpenTelemetry's collector against a server that is killed three times. `npm run trial:shippers` runs the same at full size.
const isFull = process.env['TRIPLINE_FULL'] === '1'
const messageCount = isFull ? 10_000 : 600
const killCount = 3

/** OpenTelemetry's collector with the receiver `filelog` and the exporter `otlphttp`; it is no package of Debian, npm or Python. */
const otelCollector = process.env['TRIPLINE_OTELCOL'] ?? 'otelcol'
const isInstalled = spawnSync(otelCollector, ['--version']).status === 0

const encodings = ['json', 'proto'] as const
const ruleId = (index: number): string => `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f41${String(index).padStart(2, '0')}`
const printRule = (encoding: string, index: number): string => `title: Login by ${encoding}
id: ${ruleId(index)}
status: test
logsource: {product: linux, service: sshd}
detection: {keywords: ['Accepted password for ${encoding} from'], condition: keywords}
level: high
`

let folder: string
let world: CollectorWorld
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-otel-collector-'))
  world = await CollectorWorld.open(folder)
})
afterEach(async () => {
  killServerProcesses()
  await world.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const pathOf = (encoding: string): string => join(folder, `${encoding}.log`)

/** A file, an exporter and a pipeline for each encoding; what the catalogue prints, and that nothing is given up. */
function printConfiguration(tokens: { readonly [encoding: string]: string }): string {
  const ofEach = (print: (encoding: string) => object): object =>
    Object.assign({}, ...encodings.map(print)) as object
  return JSON.stringify({
    receivers: ofEach((encoding) => ({ [`filelog/${encoding}`]: { include: [pathOf(encoding)], start_at: 'beginning' } })),
    exporters: ofEach((encoding) => ({
      [`otlphttp/${encoding}`]: {
        logs_endpoint: `${world.url}/ingest/otlp/v1/logs`, headers: { Authorization: `Bearer ${tokens[encoding]}` }, encoding,
        retry_on_failure: { initial_interval: '1s', max_interval: '2s', max_elapsed_time: '0s' },
      },
    })),
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: ofEach((encoding) => ({ [`logs/${encoding}`]: { receivers: [`filelog/${encoding}`], exporters: [`otlphttp/${encoding}`] } })),
    },
  })
}

const countMessages = (encoding: string): Promise<number> => world.count(`"Accepted password for ${encoding} from"`)

async function findNumbers(encoding: string): Promise<readonly number[]> {
  const events = await world.search(`"Accepted password for ${encoding} from"`)
  return events.map(({ fields }) => Number(/ port (\d+) ssh2/.exec(JSON.stringify(fields))?.[1])).sort((a, b) => a - b)
}

describe.skipIf(!isInstalled)('the collector of OpenTelemetry, if TRIPLINE_OTELCOL names it', () => {
  test(`finds the server again after each of ${killCount} kills, and none of its events is missing or there twice`, async () => {
    const tokens: { [encoding: string]: string } = {}
    for (const [index, encoding] of encodings.entries()) {
      // A line of a file does not say what it is of.
      const config = { log_source: { product: 'linux', service: 'sshd' } }
      const { ingest } = await world.call('POST', '/v1/connectors', { name: encoding, type: 'otlp_http', config }) as {
        readonly ingest: { readonly token: string }
      }
      tokens[encoding] = ingest.token
      await world.call('POST', '/v1/detection/rules', { definition: printRule(encoding, index) })
    }
    let written = 0
    const write = (count: number): void => {
      for (const encoding of encodings) {
        const lines = Array.from({ length: count }, (_none, i) => `Accepted password for ${encoding} from 203.0.113.9 port ${written + i} ssh2\n`)
        appendFileSync(pathOf(encoding), lines.join(''))
      }
      written += count
    }
    const file = join(folder, 'otelcol.yaml')
    writeFileSync(file, printConfiguration(tokens))
    const part = Math.floor(messageCount / (2 * killCount + 1))
    write(part)
    const shipper = spawn(otelCollector, ['--config', `file:${file}`], { stdio: ['ignore', 'ignore', 'pipe'] })
    let printed = ''
    shipper.stderr.on('data', (chunk: Buffer) => (printed = `${printed}${chunk.toString()}`.slice(-5_000)))
    const readCounts = async (): Promise<readonly number[]> => {
      if (shipper.exitCode !== null) throw new Error(`the collector ended with ${shipper.exitCode}: ${printed}`)
      return await Promise.all(encodings.map(countMessages))
    }
    try {
      for (let kill = 0; kill < killCount; kill++) {
        const before = await readCounts()
        await world.waitFor(readCounts, (counts) => counts.every((count, index) => count > before[index]! || count >= written))
        write(part)
        await world.stopServer('SIGKILL')
        write(kill < killCount - 1 ? part : messageCount - written)
        await world.startServer()
      }
      await world.waitFor(readCounts, (counts) => counts.every((count) => count >= messageCount))
      await world.settle()
      for (const [index, encoding] of encodings.entries()) {
        const found = await findNumbers(encoding)
        const distinct = new Set(found).size
        const figures = { shipper: `otelcol, ${encoding}`, sent: written, kills: killCount, missing: written - distinct, repeated: found.length - distinct }
        if (isFull) process.stdout.write(`${JSON.stringify(figures)}\n`)
        expect.soft(found).toEqual(Array.from({ length: messageCount }, (_none, i) => i))
        const answer = await world.call('GET', `/v1/detection/rules/${ruleId(index)}/matches`) as { readonly matches: readonly unknown[] }
        expect.soft(answer.matches.length).toBeGreaterThan(0)
      }
    } finally {
      shipper.kill('SIGKILL')
    }
  }, isFull ? 1_800_000 : 300_000)
})
