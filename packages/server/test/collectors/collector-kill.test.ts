import { killCollectors } from '@tripline/collector/test/collector-process'
import { mkdtempSync, rmSync } from 'node:fs'
import { appendFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { killServerProcesses } from '../server-process.ts'
import { CollectorWorld } from './collector-world.ts'

// A collector and a server as processes, both of which are killed. `npm run trial:collector` runs the same at full size.
const isFull = process.env['TRIPLINE_FULL'] === '1'
const [killCount, linesPerKill] = isFull ? [20, 500] : [2, 100]
const patience = { timeout: 240_000, interval: 200 }

let folder: string
let world: CollectorWorld
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-collector-kill-'))
  world = await CollectorWorld.open(folder)
})
afterEach(async () => {
  killCollectors()
  killServerProcesses()
  await world.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

type CollectorDetail = { readonly status: string; readonly events_ingested: number; readonly sources: readonly { readonly status: string }[] }

const login = (n: number): string => `${new Date().toISOString()} db-1 sshd[${n + 1}]: Accepted password for root from 203.0.113.9 port ${n} ssh2\n`
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

/** The numbers of the logins that the server stored, in order. */
async function findNumbers(): Promise<number[]> {
  const events = await world.search('Accepted')
  return events.map(({ fields }) => Number(/port (\d+)/.exec(String(fields['message']))?.[1])).sort((a, b) => a - b)
}

test(`of ${killCount} kills of the server and as many of the collector none loses or repeats a line`, async () => {
  const path = join(folder, 'auth.log')
  await writeFile(path, '')
  const id = await world.enrol({ auth: { type: 'file', paths: [path] } })
  const read = async (): Promise<CollectorDetail> => await world.call('GET', `/v1/collectors/${id}`) as CollectorDetail
  expect(await read()).toMatchObject({ status: 'pending', sources: [] })
  world.collector.start()
  await world.waitFor(read, ({ status }) => status === 'online')
  let written = 0
  const write = async (count: number): Promise<void> => {
    await appendFile(path, range(written, written + count).map(login).join(''))
    written += count
  }
  for (let kill = 0; kill < killCount; kill++) {
    const before = written
    await write(linesPerKill)
    // Some of it is there at each kill, and how much differs.
    await world.waitFor(findNumbers, ({ length }) => length > before)
    await world.stopServer('SIGKILL')
    await write(linesPerKill)
    if (kill % 2 === 0) {
      await rename(path, `${path}.${kill}`)
      await writeFile(path, '')
    }
    await world.collector.stop('SIGKILL')
    await write(linesPerKill)
    world.collector.start()
    await world.waitFor(() => world.collector.status(), (status) => String(status?.['connection']).includes('cannot be reached'))
    await world.startServer()
  }
  await world.waitFor(findNumbers, ({ length }) => length >= written)
  await world.settle()
  expect(await findNumbers()).toEqual(range(0, written))
  const { alerts } = await world.call('GET', '/v1/alerts') as { readonly alerts: readonly { readonly title?: string }[] }
  expect(alerts.length).toBeGreaterThan(0)
  await expect.poll(() => world.notices.map(({ event }) => event), patience).toContain('alert.created')
}, 900_000 + killCount * 60_000)

test.runIf(isFull)('a collector that is killed is offline after 90 s, which webhooks tell, and its return too', async () => {
  const path = join(folder, 'auth.log')
  await writeFile(path, login(0))
  const id = await world.enrol({ auth: { type: 'file', paths: [path] } })
  world.collector.start()
  await world.waitFor(findNumbers, ({ length }) => length === 1)
  await world.collector.stop('SIGKILL')
  const told = (): string[] => world.notices.flatMap(({ event, data }) => (data.id === id ? [event] : []))
  await expect.poll(told, patience).toEqual(['collector.disconnected'])
  world.collector.start()
  await expect.poll(told, patience).toEqual(['collector.disconnected', 'collector.connected'])
})
