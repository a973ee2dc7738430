import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { limits } from '../limits.ts'
import { verifyData } from './verify-data.ts'

// Entry point of the thread that verifies a data directory beside the server: sends the result and ends. It reads slowly, so
// that others have the disk and the processor.

const startedMs = performance.now()
let readBytes = 0

async function pace(byteCount: number): Promise<void> {
  readBytes += byteCount
  const aheadMs = (readBytes / limits.verify.bytesPerSecond) * 1_000 - (performance.now() - startedMs)
  if (aheadMs > 0) await sleep(aheadMs)
}

parentPort?.postMessage(await verifyData(String(workerData), { pace }))
