import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CollectorWorld } from '../collectors/collector-world.ts'
import { killServerProcesses } from '../server-process.ts'
import { LibraryProcess, processes } from './libraries/library-processes.ts'
import type { Shipper } from './libraries/library-processes.ts'

// Libraries that ship events, against a server that is killed three times. `npm run trial:shippers` runs the same at full size.
const messageCount = process.env['TRIPLINE_FULL'] === '1' ? 10_000 : 600
const killCount = 3
/** A trial may be beside other work; what hangs is to end. */
const timeoutMs = process.env['TRIPLINE_FULL'] === '1' ? 3_600_000 : 900_000
/** Milliseconds without an acknowledgement after which no more is expected; the figures of a trial are to be whole. */
const quietMs = process.env['TRIPLINE_FULL'] === '1' ? 60_000 : 3_000
/** Messages of a request, for the libraries that can be told. */
const batch = process.env['TRIPLINE_FULL'] === '1' ? 100 : 20

const shippers = processes.flatMap((each) => each.shippers)

let folder: string
let world: CollectorWorld
let libraries: readonly LibraryProcess[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-library-shippers-'))
  world = await CollectorWorld.open(folder)
})
afterEach(async () => {
  for (const library of libraries) library.end()
  killServerProcesses()
  await world.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const ruleId = (index: number): string => `0198f1c0-7a10-4c3e-9b1e-2f6a3a1f31${String(index).padStart(2, '0')}`
const printRule = ({ name }: Shipper, index: number): string => `title: Login by ${name}
id: ${ruleId(index)}
status: test
logsource: {product: linux, service: sshd}
detection: {keywords: ['Accepted password for ${name} from'], condition: keywords}
level: high
`

/** A connector for each shipper, and a rule that fires on what it sends, if it is known to be of sshd. */
async function createConnectors(): Promise<{ readonly [name: string]: string }> {
  const tokens: { [name: string]: string } = {}
  for (const [index, shipper] of shippers.entries()) {
    const config = shipper.tellsSource ? {} : { log_source: { product: 'linux', service: 'sshd' } }
    const { ingest } = await world.call('POST', '/v1/connectors', { name: shipper.name, type: shipper.type, config }) as {
      readonly ingest: { readonly token: string }
    }
    tokens[shipper.name] = ingest.token
    await world.call('POST', '/v1/detection/rules', { definition: printRule(shipper, index) })
  }
  return tokens
}

/** The numbers of a shipper's messages that the server has, in order, those twice that it has twice. */
async function findNumbers(name: string): Promise<readonly number[]> {
  const events = await world.search(`"Accepted password for ${name} from"`)
  return events.map(({ fields }) => Number(/ port (\d+) ssh2/.exec(JSON.stringify(fields))?.[1])).sort((a, b) => a - b)
}

const acknowledgedOf = (name: string): ReadonlySet<number> => {
  for (const { acknowledged } of libraries) {
    const numbers = acknowledged.get(name)
    if (numbers !== undefined) return numbers
  }
  throw new Error(`no process has ${name}`)
}

/** Waits until a number of at least `from` is acknowledged to all shippers, or to the first one. */
async function waitForAcknowledgement(from: number, ofHowMany: 'all' | 'some'): Promise<void> {
  const isAcknowledged = ({ name }: Shipper): boolean => [...acknowledgedOf(name)].some((number) => number >= from)
  await world.waitFor(() => {
    for (const library of libraries) library.checkRuns()
    return Promise.resolve(shippers)
  }, (all) => (ofHowMany === 'all' ? all.every(isAcknowledged) : all.some(isAcknowledged)))
}

/** Waits until all messages are acknowledged, or nothing comes any more: some libraries give up what they could not send. */
async function waitForRest(): Promise<void> {
  const count = (): number => libraries.flatMap(({ acknowledged }) => [...acknowledged.values()]).reduce((sum, { size }) => sum + size, 0)
  let [last, since] = [count(), performance.now()]
  while (last < shippers.length * messageCount && performance.now() - since < quietMs) {
    await pause(200)
    if (count() > last) [last, since] = [count(), performance.now()]
  }
}

describe.skipIf(shippers.length === 0)('libraries of npm and Python', () => {
  test(`find the server again after each of ${killCount} kills, and what it acknowledged is there`, async () => {
    const tokens = await createConnectors()
    libraries = processes.map((each) => {
      const theirs = Object.fromEntries(each.shippers.map(({ name }) => [name, tokens[name] ?? '']))
      return new LibraryProcess(each, { url: world.url, count: messageCount, batch, tokens: theirs })
    })
    let allowed = 0
    const allow = (count: number): number => {
      const from = allowed
      allowed += count
      for (const library of libraries) library.allow(allowed)
      return from
    }
    const part = Math.ceil(messageCount / (2 * killCount))
    for (let kill = 0; kill < killCount; kill++) {
      // Some are acknowledged when the server dies, and others are on their way.
      await waitForAcknowledgement(allow(part), kill === 0 ? 'all' : 'some')
      await world.stopServer('SIGKILL')
      await world.startServer()
      await waitForAcknowledgement(allow(part), 'all')
    }
    await waitForRest()
    await world.settle()
    const figures: object[] = []
    for (const [index, { name, isOnce }] of shippers.entries()) {
      const found = await findNumbers(name)
      const distinct = new Set(found)
      const acknowledged = acknowledgedOf(name)
      const repeated = found.length - distinct.size
      const missing = [...acknowledged].filter((number) => !distinct.has(number))
      figures.push({ name, sent: messageCount, acknowledged: acknowledged.size, missing: missing.length, repeated })
      expect.soft(missing, `acknowledged to ${name} and missing`).toEqual([])
      if (isOnce) expect.soft(repeated, `messages of ${name} that are there again`).toBe(0)
      const answer = await world.call('GET', `/v1/detection/rules/${ruleId(index)}/matches`) as { readonly matches: readonly unknown[] }
      expect.soft(answer.matches.length, `matches of ${name}`).toBeGreaterThan(0)
    }
    if (process.env['TRIPLINE_FULL'] === '1') process.stdout.write(`${figures.map((each) => `${JSON.stringify(each)}\n`).join('')}`)
  }, timeoutMs)
})
