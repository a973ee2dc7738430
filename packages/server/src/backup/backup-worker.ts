import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createBackup } from './create-backup.ts'
import { limits } from './limits.ts'
import { openRepository } from './open-repository.ts'
import type { BackupTask } from './open-repository.ts'

// Entry point of the thread of a scheduled backup: sends what it did and ends. It reads slowly, so that others have the disk.

const { place, dataDir, keep } = workerData as BackupTask
const startedMs = performance.now()
let readBytes = 0

async function pace(byteCount: number): Promise<void> {
  readBytes += byteCount
  const aheadMs = (readBytes / limits.backup.bytesPerSecond) * 1_000 - (performance.now() - startedMs)
  if (aheadMs > 0) await sleep(aheadMs)
}

const repository = await openRepository(place, { creates: true })
const { id, fileCount, byteCount, sentBytes, removedCount } = await createBackup(repository, { dataDir, keep, now: () => Date.now(), pace })
parentPort?.postMessage({ id, files: fileCount, bytes: byteCount, sent_bytes: sentBytes, removed: removedCount })
