import { brotliDecompress, gunzip, inflate as zlibInflate, inflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { AppError } from '../domain/app-error.ts'
import { limits } from '../limits.ts'

const options = { maxOutputLength: limits.ingest.inflatedBytesMax }

/** How to undo each content coding; zlib stops by itself where the output grows over its bound. */
const inflaters: { readonly [coding: string]: (bytes: Uint8Array) => Promise<Uint8Array> } = {
  gzip: (bytes) => promisify(gunzip)(bytes, options),
  'x-gzip': (bytes) => promisify(gunzip)(bytes, options),
  deflate: (bytes) => promisify(hasZlibHeader(bytes) ? zlibInflate : inflateRaw)(bytes, options),
  br: (bytes) => promisify(brotliDecompress)(bytes, options),
}

/**
 * Undoes the content coding of a body; off the main thread.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for a coding, or a list of codings, that is not known;
 *   PAYLOAD_TOO_LARGE when it inflates over the limit; INVALID_BODY when the bytes are damaged.
 */
export async function inflate(bytes: Uint8Array, contentEncoding: string | undefined): Promise<Uint8Array> {
  const coding = contentEncoding?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return bytes
  const undo = Object.hasOwn(inflaters, coding) ? inflaters[coding] : undefined
  if (undo === undefined) {
    const supported = ['gzip', 'deflate', 'br']
    const message = `content encoding '${coding.slice(0, 64)}' is not supported; use one of ${supported.join(', ')}`
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', message, { supported })
  }
  try {
    return await undo(bytes)
  } catch (error) {
    if (getErrorCode(error) === 'ERR_BUFFER_TOO_LARGE') {
      const limit = limits.ingest.inflatedBytesMax
      throw new AppError('PAYLOAD_TOO_LARGE', `the body inflates to more than ${limit} bytes`, { limit_bytes: limit })
    }
    throw new AppError('INVALID_BODY', `the body is not valid ${coding}`)
  }
}

/** Half of the world sends `deflate` without the header that RFC 9110 wants; the header checks itself. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
