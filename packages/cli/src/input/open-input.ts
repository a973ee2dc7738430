import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { unreadableError } from '../framework/command-error.ts'
import type { Context } from '../framework/context.ts'
import { limits } from '../limits.ts'
import { readFileChunks } from './file-chunks.ts'

/** The bytes of a file or of stdin, uncompressed. */
export type Input = {
  /** Each chunk is valid until the next one is read. */
  readonly chunks: AsyncIterable<Buffer>
  /** Bytes read so far, as stored: compressed ones count as such. */
  readonly bytesRead: () => number
  /** Bytes to read in all; undefined for a pipe. */
  readonly bytesTotal: number | undefined
  readonly close: () => void
}

const gzipMagic = Buffer.from([0x1f, 0x8b])

/**
 * Opens a file, or stdin for `-`, and reads its first bytes: gzip is recognised by its magic number,
 * not by the file name.
 *
 * @throws ExitError (66), here or while `chunks` is read, when the input cannot be read or unpacked.
 */
export async function openInput(path: string, context: Context): Promise<Input> {
  const file = resolve(context.cwd, path)
  const raw = path === '-' ? context.stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined> : readFileChunks(file)
  let bytesRead = 0

  async function* counted(head: Buffer): AsyncGenerator<Buffer> {
    yield head
    for (let next = await raw.next(); next.done !== true; next = await raw.next()) {
      bytesRead += next.value.length
      yield next.value
    }
  }
  try {
    const head = await readMagicNumber(raw)
    bytesRead = head.length
    const isGzip = head.subarray(0, gzipMagic.length).equals(gzipMagic)
    return {
      chunks: wrapReadErrors(path, isGzip ? gunzip(counted(head)) : counted(head)),
      bytesRead: () => bytesRead,
      bytesTotal: path === '-' ? undefined : getFileSize(file),
      close: () => void (path === '-' ? context.stdin.destroy() : raw.return?.()),
    }
  } catch (error) {
    throw unreadableError('input', path, error)
  }
}

/** Reads enough bytes for the magic number; a pipe may deliver single bytes. */
async function readMagicNumber(raw: AsyncIterator<Buffer, undefined>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < gzipMagic.length) {
    const next = await raw.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  return head
}

function gunzip(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  // As a stream of bytes it reads ahead by some kilobytes; as one of objects it would by 16 chunks.
  const source = Readable.from(copyChunks(chunks), { objectMode: false })
  // Iterating the gunzip stream rejects with the error; the callback has nothing to add.
  return pipeline(source, createGunzip({ chunkSize: limits.readBytesMax }), () => {})
}

/** Copies the chunks, for a consumer that reads ahead. */
async function* copyChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

async function* wrapReadErrors(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    throw unreadableError('input', path, error)
  }
}

function getFileSize(file: string): number | undefined {
  const stats = statSync(file)
  return stats.isFile() ? stats.size : undefined
}
