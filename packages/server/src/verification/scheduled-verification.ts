import { getErrorCode } from '@tripline/common/error-code'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import { writeFully } from '@tripline/storage/disk/file-system'
import type { FileSystem } from '@tripline/storage/disk/file-system'
import type { EventStore } from '@tripline/storage/events/event-store'
import { limits } from '../limits.ts'
import type { ServerMonitor, Verification } from '../metrics/server/server-monitor.ts'
import { runInThread } from '../runtime/run-in-thread.ts'
import type { DataVerification } from './verify-data.ts'

export type VerificationOptions = {
  /** The data directory. */
  readonly disk: FileSystem
  readonly everyMs: number
  /** Undefined where the signal ended it. */
  readonly verify: (signal: AbortSignal) => Promise<DataVerification | undefined>
  /** The store that repairs damaged blocks, or counts their events as lost. */
  readonly events: Pick<EventStore, 'inspect'>
  readonly monitor: ServerMonitor
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly log: Log
}

/**
 * Verifies the data directory beside the running server; no job if that is switched off. The last result is kept in a file,
 * which metrics show from the start.
 */
export async function createVerificationJobs(options: VerificationOptions): Promise<readonly ScheduledJob[]> {
  const { disk, everyMs, monitor } = options
  const last = monitor.verification.last = await readLastVerification(disk)
  if (everyMs === 0) return []
  return [{
    name: 'verification', everyMs, afterStartMs: limits.verify.firstMs, firstDueAt: last && last.atMs + everyMs,
    run: (signal) => runVerification(options, signal), failure: 'the data directory could not be verified',
  }]
}

/** Verifies the data directory once: records and logs the result, and has damaged blocks repaired or counted. */
export async function runVerification(options: VerificationOptions, signal: AbortSignal): Promise<void> {
  const { disk, verify, events, monitor, clock, log } = options
  const startedMs = clock.elapsedMs()
  try {
    const verified = await verify(signal)
    if (verified === undefined || signal.aborted) return
    const { damagedCount, firstDamage, events: stored } = verified
    await events.inspect(stored?.damagedBlocks ?? [])
    const last = { atMs: clock.now(), durationMs: clock.elapsedMs() - startedMs, damagedCount }
    monitor.verified(last)
    const result = { duration_ms: Math.round(last.durationMs), damaged: damagedCount }
    if (damagedCount === 0) log.info('the data directory was verified', result)
    else log.error('the data directory is damaged', { ...result, ...firstDamage })
    await writeLastVerification(disk, last)
  } catch (error) {
    if (signal.aborted) return
    monitor.verification.failures++
    throw error
  }
}

/** Verifies a data directory in a thread of its own, which ends when the signal aborts. */
export async function verifyInThread(dataDir: string, signal: AbortSignal): Promise<DataVerification | undefined> {
  return await runInThread<DataVerification>(new URL('./verify-worker.ts', import.meta.url), dataDir, signal)
}

const path = 'verified.json'

/** The last verification; undefined where there was none, or its file is torn. */
async function readLastVerification(disk: FileSystem): Promise<Verification | undefined> {
  try {
    const file = await disk.open(path, 'read')
    const text = (await file.read(0, limits.verify.fileBytesMax)).toString('utf8')
    await file.close()
    const parsed = tryParseJson(text)
    if (!('value' in parsed) || !isJsonObject(parsed.value)) return undefined
    const { atMs, durationMs, damagedCount } = parsed.value
    if (typeof atMs !== 'number' || typeof durationMs !== 'number' || typeof damagedCount !== 'number') return undefined
    return { atMs, durationMs, damagedCount }
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function writeLastVerification(disk: FileSystem, last: Verification): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(last)}\n`, 'utf8')
  const file = await disk.open(path, 'write')
  try {
    await writeFully(file, bytes, 0)
    await file.truncate(bytes.length)
    await file.sync()
  } finally {
    await file.close()
  }
}
