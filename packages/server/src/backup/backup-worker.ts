import { parentPort, workerData } from 'node:worker_threads'
import { createPacer } from '../runtime/create-pacer.ts'
import { createBackup } from './create-backup.ts'
import { limits } from './limits.ts'
import { openRepository } from './open-repository.ts'
import type { BackupTask } from './open-repository.ts'

// Entry point of the thread of a scheduled backup: sends what it did and ends. It reads slowly, so that others have the disk.

const { place, dataDir, keep } = workerData as BackupTask
const pace = createPacer(limits.backup.bytesPerSecond)
const repository = await openRepository(place, { creates: true })
const { id, fileCount, byteCount, sentBytes, removedCount } = await createBackup(repository, { dataDir, keep, now: () => Date.now(), pace })
parentPort?.postMessage({ id, files: fileCount, bytes: byteCount, sent_bytes: sentBytes, removed: removedCount })
