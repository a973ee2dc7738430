import type { Log } from '@tripline/common/log'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import type { SegmentEventStore } from '@tripline/storage/events/segment-store'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServerMonitor } from '../src/metrics/server/server-monitor.ts'
import { createVerificationJobs, runVerification, verifyInThread } from '../src/verification/scheduled-verification.ts'
import type { VerificationOptions } from '../src/verification/scheduled-verification.ts'

const folder = mkdtempSync(join(tmpdir(), 'tripline-verification-'))
afterAll(() => rmSync(folder, { recursive: true }))

const eventCount = 40
let store: SegmentEventStore
let segment: string

beforeAll(async () => {
  mkdirSync(join(folder, 'events'))
  const sizes = { blockRowsMax: eventCount, logFileBytesMax: 10_000, logFilesMax: 2, cacheBytesMax: 1_000, filterBytesMax: 1_000 }
  store = await openSegmentEventStore({ disk: nodeFileSystem(join(folder, 'events')), elapsedMs: () => 0, sizes })
  const bytes = (i: number) => Buffer.from(JSON.stringify({ id: i, message: `message ${i} `.repeat(20) }))
  await store.append('acme', Array.from({ length: eventCount }, (_, i) => ({ occurredAt: i, bytes: bytes(i) })))
  await store.flush()
  const days = join(folder, 'events/events/t-acme')
  segment = join(days, readdirSync(days).find((name) => name.endsWith('.seg'))!)
})
afterAll(() => store.close())

/** Flips a bit of each of some bytes. */
function flip(offsets: readonly number[]): void {
  const bytes = readFileSync(segment)
  for (const offset of offsets) bytes[offset]! ^= 4
  writeFileSync(segment, bytes)
}

type Told = { readonly options: VerificationOptions; readonly lines: string[] }

function createOptions(verify: VerificationOptions['verify'], everyMs = 86_400_000): Told {
  const lines: string[] = []
  const log: Log = { info: (line) => lines.push(line), warn: (line) => lines.push(line), error: (line) => lines.push(line) }
  const clock = { now: () => 5_000, elapsedMs: () => 0 }
  return { lines, options: { disk: nodeFileSystem(folder), everyMs, verify, events: store, monitor: new ServerMonitor(), clock, log } }
}

const signal = new AbortController().signal
const inThread = () => verifyInThread(folder, signal)

test.for<[title: string, offsets: readonly number[], damaged: number, damage: object, line: string]>([
  ['nothing', [], 0, { lostCount: 0, repairedCount: 0, ignoredFilterCount: 0 }, 'the data directory was verified'],
  ['a flipped bit, which is repaired', [200], 1, { lostCount: 0, repairedCount: 1, ignoredFilterCount: 0 }, 'the data directory is damaged'],
  ['nothing after the repair', [], 0, { lostCount: 0, repairedCount: 1, ignoredFilterCount: 0 }, 'the data directory was verified'],
  ['many flipped bits, which cost the block', Array.from({ length: 120 }, (_, i) => 100 + 7 * i), 1, { lostCount: eventCount, repairedCount: 1, ignoredFilterCount: 0 },
    'the data directory is damaged'],
  ['the same block again, which costs nothing more', [], 1, { lostCount: eventCount, repairedCount: 1, ignoredFilterCount: 0 }, 'the data directory is damaged'],
])('finds %s', async ([, offsets, damaged, damage, line]) => {
  flip(offsets)
  const { options, lines } = createOptions(inThread)
  await runVerification(options, signal)
  expect(lines).toEqual([line])
  expect(options.monitor.verification).toMatchObject({ runs: 1, failures: 0, last: { atMs: 5_000, damagedCount: damaged } })
  expect(store.getDamage('acme')).toEqual(damage)
  // The result is there after a restart, too.
  const later = createOptions(inThread)
  expect(await createVerificationJobs(later.options)).toMatchObject([{ name: 'verification', firstDueAt: 86_405_000 }])
  expect(await createVerificationJobs({ ...later.options, everyMs: 0 })).toEqual([])
  expect(later.options.monitor.verification.last).toEqual(options.monitor.verification.last)
})

test('a verification that fails is counted, and changes no result', async () => {
  const { options, lines } = createOptions(() => Promise.reject(new Error('EIO')))
  await expect(runVerification(options, signal)).rejects.toThrow('EIO')
  expect(lines).toEqual([])
  expect(options.monitor.verification).toEqual({ runs: 0, failures: 1, last: undefined })
})

test('a verification is stopped with the server', async () => {
  const stopping = new AbortController()
  const { options, lines } = createOptions((stop) => verifyInThread(folder, stop))
  const running = runVerification(options, stopping.signal)
  stopping.abort()
  await running
  expect([lines, options.monitor.verification.runs]).toEqual([[], 0])
})
