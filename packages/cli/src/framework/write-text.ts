import { getErrorCode } from '@tripline/common/error-code'
import type { Writable } from 'node:stream'
import { unwritableError } from './command-error.ts'

/**
 * Writes text and waits until the stream has handed it on, so that a slow reader slows the command and
 * memory stays bounded. Rejects with the stream's own error when the reader has gone.
 *
 * @throws ExitError (74) when the stream cannot be written for another reason.
 */
export function writeText(stream: Writable, text: string): Promise<void> {
  if (text === '') return Promise.resolve()
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(isReaderGone(error) ? error : unwritableError(error))
      else resolve()
    })
  })
}

/** Whether an error says that the reader of our output has gone, as `head` does when it has seen enough. */
export function isReaderGone(error: unknown): boolean {
  const code = getErrorCode(error)
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'
}
