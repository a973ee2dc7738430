import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { EgressError } from './egress-error.ts'

type ResponseBounds = {
  /** The most bytes to read: as received, and again after decompression. */
  readonly bytesMax: number
  /** Whether the first bytes of a longer body are enough; otherwise a longer body is an error. */
  readonly isCut: boolean
}

/** The content encodings to accept. */
export const acceptedEncodings = 'gzip, deflate, br'

/**
 * Reads a response body as a stream and stops at the bound, whether the received or the decompressed bytes exceed it: a
 * decompression bomb is never held in memory, nor read on when it expands to nothing.
 *
 * @throws EgressError `too_long` or `damaged`; connection errors as they are.
 */
export async function readResponse(message: IncomingMessage, bounds: ResponseBounds): Promise<{ body: Buffer; isCut: boolean }> {
  const pieces: Buffer[] = []
  let isCut = false
  try {
    for await (const piece of limitBytes(decodeContent(message, bounds), bounds)) pieces.push(piece)
  } catch (error) {
    const isTooLong = error instanceof EgressError && error.problem === 'too_long'
    if (!(isTooLong && bounds.isCut)) throw error
    isCut = true
  }
  return { body: Buffer.concat(pieces), isCut }
}

/** Passes chunks on up to the bound; cuts the one that crosses it, then throws. */
async function* limitBytes(pieces: AsyncIterable<Buffer>, { bytesMax }: ResponseBounds): AsyncGenerator<Buffer> {
  let room = bytesMax
  for await (const piece of pieces) {
    yield piece.subarray(0, room)
    if (piece.length > room) throw new EgressError('too_long', `the response has more than ${bytesMax} bytes`)
    room -= piece.length
  }
}

const inflaters: { readonly [coding: string]: () => Transform } = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

async function* decodeContent(message: IncomingMessage, bounds: ResponseBounds): AsyncGenerator<Buffer> {
  const coding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return yield* message
  const open = Object.hasOwn(inflaters, coding) ? inflaters[coding] : undefined
  if (open === undefined) {
    throw new EgressError('damaged', `the response has an unsupported content encoding; supported are ${acceptedEncodings}`)
  }
  const inflater = open()
  // A failure before the decompressor surfaces when its output is read.
  pipeline(limitBytes(message, bounds), inflater, () => undefined)
  try {
    yield* inflater
  } catch (error) {
    throw isZlibError(error) ? new EgressError('damaged', `the response is not valid ${coding}`) : error
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(String(error.code))
}
