import { Readable, pipeline } from 'node:stream'
import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { createGunzip } from 'node:zlib'
import { limits } from '../limits.ts'

type Decompress = (chunks: AsyncIterable<Buffer>) => AsyncIterable<Uint8Array>

/** The compressions of files, by the bytes that they begin with. */
const compressions: readonly { readonly name: string; readonly magic: Buffer; readonly decompress: Decompress }[] = [
  { name: 'gzip', magic: Buffer.from('1f8b', 'hex'), decompress: (chunks) => through(chunks, createGunzip({ chunkSize: 262_144 })) },
  { name: 'zstd', magic: Buffer.from('28b52ffd', 'hex'), decompress: unzstd },
  { name: 'bzip2', magic: Buffer.from('BZh'), decompress: unbzip2 },
  { name: 'xz', magic: Buffer.from('fd377a585a00', 'hex'), decompress: unxz },
]

/** The most bytes that a compression or a charset is recognised by. */
export const magicBytesMax = 8

/** The decompressor for what bytes begin with; undefined if they are not compressed. */
export function findDecompressor(head: Buffer): ((chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined {
  const found = compressions.find(({ magic }) => head.subarray(0, magic.length).equals(magic))
  if (found === undefined) return undefined
  const { name, decompress } = found
  return (chunks) => boundRatio(name, chunks, decompress)
}

/** Decompresses, and fails once a file has become absurdly large: a bomb must not fill a disk or run for days. */
async function* boundRatio(name: string, chunks: AsyncIterable<Buffer>, decompress: Decompress): AsyncGenerator<Buffer> {
  let bytesRead = 0
  let bytesMade = 0
  let sourceError: unknown
  const counted = async function* (): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of chunks) {
        bytesRead += chunk.length
        // Streams read ahead, and a chunk is valid until the next one is read.
        yield Buffer.from(chunk)
      }
    } catch (error) {
      sourceError = error
      throw error
    }
  }
  const { unpackedRatioMax, unpackedBytesFree } = limits.files
  try {
    for await (const chunk of decompress(counted())) {
      bytesMade += chunk.length
      if (bytesMade > unpackedBytesFree && bytesMade > bytesRead * unpackedRatioMax) {
        throw new Error(`it grows more than ${unpackedRatioMax} times`)
      }
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    }
  } catch (error) {
    if (sourceError !== undefined) throw sourceError
    throw new Error(`its ${name} is broken: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function unzstd(chunks: AsyncIterable<Buffer>): AsyncIterable<Uint8Array> {
  // Node 20 has no zstd.
  if (!('createZstdDecompress' in zlib)) throw new Error('this Node has no zstd; decompress the file first or use Node 24')
  return through(chunks, zlib.createZstdDecompress({ chunkSize: 262_144 }))
}

function through(chunks: AsyncIterable<Buffer>, transform: Transform): AsyncIterable<Buffer> {
  // As a stream of bytes it reads ahead by some kilobytes; as one of objects it would by 16 chunks.
  const source = Readable.from(chunks, { objectMode: false })
  // Iterating the last stream rejects with the error; the callback has nothing to add.
  return pipeline(source, transform, () => {})
}

/** bzip2 comes from a stream of Node's first kind, which answers each write at once. */
async function* unbzip2(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { default: createUnbzip2 } = await import('unbzip2-stream')
  const old = createUnbzip2()
  let made: Buffer[] = []
  let failure: { readonly error: unknown } | undefined
  old.on('data', (bytes: Buffer) => made.push(bytes))
  old.on('error', (error: unknown) => { failure = { error } })
  const take = (): Buffer[] => {
    if (failure !== undefined) throw failure.error
    const taken = made
    made = []
    return taken
  }
  for await (const chunk of chunks) {
    old.write(chunk)
    yield* take()
  }
  old.end()
  yield* take()
}

async function* unxz(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  // Node finds no names in this CommonJS module, bundlers do.
  const loaded: typeof import('xz-decompress') & { readonly default?: typeof import('xz-decompress') } = await import('xz-decompress')
  const { XzReadableStream } = loaded.default ?? loaded
  const source = Readable.toWeb(Readable.from(chunks, { objectMode: false })) as ReadableStream<Uint8Array>
  const reader = new XzReadableStream(source).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}
