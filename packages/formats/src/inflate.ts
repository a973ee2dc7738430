import { getErrorCode } from '@tripline/common/error-code'
import { brotliDecompress, gunzip, inflate as zlibInflate, inflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { AppError } from '@tripline/contract/app-error'
import { limits } from './limits.ts'

const options = { maxOutputLength: limits.ingest.inflatedBytesMax }

/** Decoders by content coding; zlib stops at the maximum output size. */
const inflaters: { readonly [coding: string]: (bytes: Uint8Array) => Promise<Uint8Array> } = {
  gzip: (bytes) => promisify(gunzip)(bytes, options),
  'x-gzip': (bytes) => promisify(gunzip)(bytes, options),
  deflate: (bytes) => promisify(hasZlibHeader(bytes) ? zlibInflate : inflateRaw)(bytes, options),
  br: (bytes) => promisify(brotliDecompress)(bytes, options),
}

/**
 * Decompresses a body according to its content coding, off the main thread.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for an unsupported coding or a list of codings; PAYLOAD_TOO_LARGE over the
 *   inflated size limit; INVALID_BODY for corrupt data.
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

/** Many clients send raw `deflate` without the zlib header that RFC 9110 requires; the header has a checksum. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}
