import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '../limits.ts'
import { createPacer } from '../runtime/create-pacer.ts'
import { verifyData } from './verify-data.ts'

// Entry point of the thread that verifies a data directory beside the server: sends the result and ends. It reads slowly, so
// that others have the disk and the processor.
parentPort?.postMessage(await verifyData(String(workerData), { pace: createPacer(limits.verify.bytesPerSecond) }))
