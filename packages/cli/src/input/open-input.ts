import { ExitError } from '@tripline/common/exit-error'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { unreadableError } from '../framework/command-error.ts'
import type { Context } from '../framework/context.ts'
import { readFileChunks } from './file-chunks.ts'

/** The bytes of a file or of stdin. */
export type Input = {
  /** Each chunk is valid until the next one is read. */
  readonly chunks: AsyncIterable<Buffer>
  /** Bytes read so far, as stored: compressed ones count as such. */
  readonly bytesRead: () => number
  /** Bytes to read in all; undefined for a pipe. */
  readonly bytesTotal: number | undefined
  readonly close: () => void
}

/**
 * Opens a file, or stdin for `-`, and reads its first bytes.
 *
 * @throws ExitError (66), here or while `chunks` is read, when the input cannot be read.
 */
export async function openInput(path: string, context: Context): Promise<Input> {
  const file = resolve(context.cwd, path)
  const raw = path === '-' ? context.stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined> : readFileChunks(file)
  let bytesRead = 0

  async function* counted(first: IteratorResult<Buffer, undefined>): AsyncGenerator<Buffer> {
    for (let next = first; next.done !== true; next = await raw.next()) {
      bytesRead += next.value.length
      yield next.value
    }
  }
  try {
    const first = await raw.next()
    return {
      chunks: wrapReadErrors(path, counted(first)),
      bytesRead: () => bytesRead,
      bytesTotal: path === '-' ? undefined : getFileSize(file),
      close: () => void (path === '-' ? context.stdin.destroy() : raw.return?.()),
    }
  } catch (error) {
    throw toUnreadable(path, error)
  }
}

/** Passes chunks on; an error of reading names the path. */
export async function* wrapReadErrors(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    throw toUnreadable(path, error)
  }
}

/** The error of an input that cannot be read; one that says so stays as it is. */
export function toUnreadable(path: string, error: unknown): ExitError {
  return error instanceof ExitError ? error : unreadableError('input', path, error)
}

function getFileSize(file: string): number | undefined {
  const stats = statSync(file)
  return stats.isFile() ? stats.size : undefined
}
