import { appendFile, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CollectorFolder, killCollectors } from './collector-process.ts'
import { EventSink } from './event-sink.ts'

// The real process against a server that counts. `npm run trial:collector` runs the same at full size.
const isFull = process.env['TRIPLINE_FULL'] === '1'
const killCount = isFull ? 50 : 4
/** How long the server is gone while lines are written. */
const goneMs = isFull ? 300_000 : 0
const patience = { interval: 50 }

let root: string
let sink: EventSink
let collector: CollectorFolder
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tripline-collector-'))
  sink = new EventSink()
  await sink.open()
  collector = new CollectorFolder(root)
})
afterEach(async () => {
  killCollectors()
  await sink.close()
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
})

async function enrol(sources: { readonly [name: string]: object }, bufferBytes?: number): Promise<void> {
  await collector.write(sink.url, sources, bufferBytes)
  expect(await collector.command('enroll', '--token', 'te_x')).toMatchObject({ code: 0, stdout: 'enrolled as here (c1)\n' })
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)
const lines = (from: number, to: number): string => range(from, to).map((n) => `${JSON.stringify({ n })}\n`).join('')

async function findPort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => void probe.close(resolve))
  return port
}

test('a collector that is killed while it follows a rotating file loses and repeats nothing', async () => {
  const path = join(root, 'app.log')
  await writeFile(path, '')
  await enrol({ app: { type: 'file', paths: [path] } })
  let written = 0
  const write = async (count: number): Promise<void> => {
    await appendFile(path, lines(written, written + count))
    written += count
  }
  collector.start()
  await write(100)
  await expect.poll(() => sink.events.size, patience).toBe(100)
  for (let kill = 0; kill < killCount; kill++) {
    for (let i = 0; i < 5; i++) await write(200)
    if (kill % 2 === 0) {
      await rename(path, `${path}.${kill}`)
      await writeFile(path, '')
    }
    // At a point of its work that differs from kill to kill.
    const target = sink.events.size + kill * 37
    await expect.poll(() => sink.events.size >= Math.min(target, written), patience).toBe(true)
    await collector.stop('SIGKILL')
    await write(50)
    if (kill % 3 === 0) sink.losesNextAnswer = true
    collector.start()
  }
  await expect.poll(() => sink.events.size, patience).toBe(written)
  expect(sink.numbers()).toEqual(range(0, written))
  if (isFull) process.stdout.write(`${JSON.stringify({ kills: killCount, lines: written, lost: 0, sentAgain: sink.repeatedCount })}\n`)
  await collector.stop('SIGTERM')
})

test('while the server is gone events wait, and then all arrive', async () => {
  const path = join(root, 'app.log')
  await writeFile(path, lines(0, 10))
  await enrol({ app: { type: 'file', paths: [path] } })
  collector.start()
  await expect.poll(() => sink.events.size, patience).toBe(10)
  await sink.close()
  let written = 10
  for (const goneAt = performance.now(); written < 5_000 || performance.now() - goneAt < goneMs; written += 500) {
    await appendFile(path, lines(written, written + 500))
    await pause(250)
  }
  await expect.poll(async () => (await collector.status())?.['connection'], patience).toContain('the server cannot be reached')
  await expect.poll(async () => (await collector.status())?.['buffer'], patience).toMatchObject({ events: written - 10, dropped_total: 0 })
  await sink.open()
  await expect.poll(() => sink.events.size, patience).toBe(written)
  expect(sink.numbers()).toEqual(range(0, written))
  if (isFull) process.stdout.write(`${JSON.stringify({ goneSeconds: goneMs / 1_000, events: written, missing: 0, sentAgain: sink.repeatedCount })}\n`)
  await collector.stop('SIGTERM')
}, goneMs + 240_000)

test('a spool that runs over counts each event that it drops', async () => {
  const port = await findPort()
  await enrol({ net: { type: 'syslog', host: '127.0.0.1', port, transport: 'tcp' } }, 1_048_576)
  await sink.close()
  collector.start()
  const sent = isFull ? 40_000 : 4_000
  await expect.poll(async () => (await collector.status())?.['sources'], patience).toMatchObject([{ status: 'healthy' }])
  const socket = connect(port, '127.0.0.1')
  socket.end(range(0, sent).map((n) => `<13>1 2026-11-20T10:00:00Z h a - - - ${JSON.stringify({ n, pad: 'x'.repeat(600) })}\n`).join(''))
  await expect.poll(async () => (await collector.status())?.['sources'], patience).toMatchObject([{ events_total: sent }])
  const { buffer } = await collector.status() as { readonly buffer: { readonly events: number; readonly dropped_total: number } }
  expect(buffer.dropped_total).toBeGreaterThan(0)
  expect(buffer.events + buffer.dropped_total).toBe(sent)
  await sink.open()
  await expect.poll(() => sink.events.size, patience).toBe(buffer.events)
  expect(sink.numbers().at(-1)).toBe(sent - 1)
  if (isFull) process.stdout.write(`${JSON.stringify({ sent, delivered: sink.events.size, dropped: buffer.dropped_total })}\n`)
  await collector.stop('SIGTERM')
})

test('a reload takes what is valid, and with an error the old configuration goes on', async () => {
  const [first, second] = [join(root, 'one.log'), join(root, 'two.log')]
  await writeFile(first, lines(0, 1))
  await writeFile(second, lines(10, 11))
  await enrol({ one: { type: 'file', paths: [first] } })
  expect(await collector.command('status')).toMatchObject({ code: 1, stderr: expect.stringContaining('no collector listens') })
  collector.start()
  await expect.poll(() => sink.numbers(), patience).toEqual([0])
  await collector.writeSource('two', 'type: file\npaths: []\n')
  expect(await collector.command('reload')).toMatchObject({ code: 1, stderr: expect.stringContaining('two.yaml:2: paths: must name a path') })
  await appendFile(first, lines(1, 2))
  await expect.poll(() => sink.numbers(), patience).toEqual([0, 1])
  await collector.writeSource('two', JSON.stringify({ type: 'file', paths: [second] }))
  expect(await collector.command('reload')).toMatchObject({ code: 0, stdout: '1 sources started, 0 stopped, 1 unchanged\n' })
  await expect.poll(() => sink.numbers(), patience).toEqual([0, 1, 10])
  expect((await collector.command('logs', '-n', '1')).stdout).toContain('the configuration was read again')
  expect((await stat(join(root, 'data', 'control.sock'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(root, 'data', 'credential.json'))).mode & 0o777).toBe(0o600)
  expect(sink.heartbeats[0]).toMatchObject({ sources: [{ name: 'one', type: 'file' }], buffer: { dropped_total: 0 } })
  await collector.stop('SIGTERM')
})

test('a source is tested before it is used: which check failed, and its first events', async () => {
  const path = join(root, 'app.log')
  await writeFile(path, lines(0, 10))
  await collector.write(sink.url, { good: { type: 'file', paths: [path] }, bad: { type: 'syslog', port: 'x' } })
  const good = await collector.command('test', join(root, 'sources.d', 'good.yaml'))
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('connection: pass\nevents: the first 3\n{"n":0') })
  const json = await collector.command('test', join(root, 'sources.d', 'good.yaml'), '--json')
  expect(JSON.parse(json.stdout)).toEqual({
    type: 'file', name: 'good', connection: 'pass', warnings: [], events: [0, 1, 2].map((n) => expect.objectContaining({ n }) as object),
  })
  const bad = await collector.command('test', join(root, 'sources.d', 'bad.yaml'))
  expect(bad).toMatchObject({ code: 1, stderr: expect.stringContaining('configuration: fail') })
})
