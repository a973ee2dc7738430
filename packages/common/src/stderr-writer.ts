import { constants, openSync, write } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { getErrorCode } from './error-code.ts'

const stderrNumber = 2
const retryMs = 20

/**
 * Creates what writes text to stderr without holding up the process, however slowly it is read. Where stderr cannot be opened
 * so, as a socket, threads of the pool write.
 */
export function createStderrWriter(): (text: string) => Promise<void> {
  const descriptor = openStderr()
  const writeSome = promisify(write)
  return async (text) => {
    let rest = Buffer.from(text, 'utf8')
    while (rest.length > 0) {
      try {
        const { bytesWritten } = await writeSome(descriptor, rest, 0, rest.length)
        rest = rest.subarray(bytesWritten)
      } catch (error) {
        if (getErrorCode(error) !== 'EAGAIN') throw error
        // A process that ends does not wait for a reader.
        await wait(retryMs, undefined, { ref: false })
      }
    }
  }
}

function openStderr(): number {
  try {
    return openSync(`/proc/self/fd/${stderrNumber}`, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
  } catch {
    // A socket, or a system without such paths: the descriptor itself does as well.
    return stderrNumber
  }
}
