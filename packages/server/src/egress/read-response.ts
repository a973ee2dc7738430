import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { EgressError } from './egress-error.ts'

export type ResponseBounds = {
  /** Bytes that are read: as they come, and again after they were inflated. */
  readonly bytesMax: number
  /** What becomes of a longer body: its first bytes are enough, or the answer is of no use. */
  readonly isCut: boolean
}

/** Codings that we ask for. */
export const acceptedEncodings = 'gzip, deflate, br'

/**
 * Reads the body of an answer piece by piece and stops at its bound, whether the bytes as they came are too many or
 * what they inflate to: a bomb is never held, nor read on when it inflates to nothing for ever.
 *
 * @throws EgressError `too_long` or `damaged`; errors of the connection as they are.
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

/** Hands pieces on up to the bound; the one that would cross it is cut there, and then it is an error. */
async function* limitBytes(pieces: AsyncIterable<Buffer>, { bytesMax }: ResponseBounds): AsyncGenerator<Buffer> {
  let room = bytesMax
  for await (const piece of pieces) {
    yield piece.subarray(0, room)
    if (piece.length > room) throw new EgressError('too_long', `the answer has more than ${bytesMax} bytes`)
    room -= piece.length
  }
}

async function* decodeContent(message: IncomingMessage, bounds: ResponseBounds): AsyncGenerator<Buffer> {
  const coding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return yield* message
  const open = Object.hasOwn(inflaters, coding) ? inflaters[coding] : undefined
  if (open === undefined) throw new EgressError('damaged', `the answer is in a coding that is none of ${acceptedEncodings}`)
  const inflater = open()
  // Whatever goes wrong before the inflater is what reading from it fails with.
  pipeline(limitBytes(message, bounds), inflater, () => undefined)
  try {
    yield* inflater
  } catch (error) {
    throw isZlibError(error) ? new EgressError('damaged', `the answer is not valid ${coding}`) : error
  }
}

const inflaters: { readonly [coding: string]: () => Transform } = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(String(error.code))
}
