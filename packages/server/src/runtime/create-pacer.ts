import { setTimeout as sleep } from 'node:timers/promises'

/** Makes what waits after bytes were read, so that no more of them are read in a second: others have the disk meanwhile. */
export function createPacer(bytesPerSecond: number): (byteCount: number) => Promise<void> {
  const startedMs = performance.now()
  let readBytes = 0
  return async (byteCount) => {
    readBytes += byteCount
    const aheadMs = (readBytes / bytesPerSecond) * 1_000 - (performance.now() - startedMs)
    if (aheadMs > 0) await sleep(aheadMs)
  }
}
