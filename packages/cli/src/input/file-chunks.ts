import { open } from 'node:fs/promises'
import { limits } from '../limits.ts'

/**
 * Reads a file from its beginning to its end, a chunk ahead. A chunk is good until the next one is asked for: there
 * are two memories for all of them, because memory that is new each time would have to be collected, and with it
 * all that the thread holds would be looked through every few dozen chunks.
 */
export async function* readFileChunks(path: string): AsyncGenerator<Buffer, undefined> {
  const file = await open(path)
  try {
    let current = Buffer.allocUnsafeSlow(limits.readBytesMax)
    let ahead = Buffer.allocUnsafeSlow(limits.readBytesMax)
    let reading = file.read(current)
    for (;;) {
      const { bytesRead } = await reading
      if (bytesRead === 0) return
      reading = file.read(ahead)
      // It is heard of when the chunk is asked for.
      reading.catch(() => {})
      yield current.subarray(0, bytesRead)
      const free = current
      current = ahead
      ahead = free
    }
  } finally {
    await file.close()
  }
}
