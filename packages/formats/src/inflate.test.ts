import { AppError } from '@tripline/contract/app-error'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inflate } from './inflate.ts'
import { limits } from './limits.ts'

const text = Buffer.from('{"a":1}')

describe('undoes', () => {
  test.for<[coding: string | undefined, bytes: Uint8Array]>([
    [undefined, text],
    ['', text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    ['GZIP ', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
  ])('%s', async ([coding, bytes]) => {
    expect(Buffer.from(await inflate(bytes, coding)).toString()).toBe('{"a":1}')
  })
})

describe('refuses', () => {
  const bomb = gzipSync(Buffer.alloc(limits.ingest.inflatedBytesMax + 1))
  test.for<[title: string, coding: string, bytes: Uint8Array, code: string]>([
    ['an unknown coding', 'zstd', text, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a coding named like a property', 'constructor', text, 'UNSUPPORTED_MEDIA_TYPE'],
    ['several codings', 'gzip, gzip', text, 'UNSUPPORTED_MEDIA_TYPE'],
    ['bytes that are no gzip', 'gzip', text, 'INVALID_BODY'],
    ['gzip that breaks off', 'gzip', gzipSync(text).subarray(0, 15), 'INVALID_BODY'],
    ['no bytes', 'br', Buffer.alloc(0), 'INVALID_BODY'],
    ['a bomb', 'gzip', bomb, 'PAYLOAD_TOO_LARGE'],
  ])('%s', async ([, coding, bytes, code]) => {
    const refused = await inflate(bytes, coding).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(AppError)
    expect(refused).toMatchObject({ code })
  })
})
