import { getErrorCode } from '@tripline/common/error-code'
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { limits } from '../../limits.ts'

/** An open file: it stays readable under its handle when it is renamed or removed. */
export type TailedFile = { readonly handle: FileHandle; readonly identity: string; readonly size: number }

/** Opens a file; undefined where there is none. */
export async function openTailedFile(path: string): Promise<TailedFile | undefined> {
  try {
    const handle = await open(path, 'r')
    const { dev, ino, size } = await handle.stat({ bigint: true })
    return { handle, identity: `${dev}:${ino}`, size: Number(size) }
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT' || getErrorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Reads bytes of a file; fewer at its end. */
export async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let count = 0
  while (count < length) {
    const { bytesRead } = await handle.read(bytes, count, length - count, position + count)
    if (bytesRead === 0) break
    count += bytesRead
  }
  return bytes.subarray(0, count)
}

/** Hashes the first bytes of a file, as many as it has up to the limit. */
export async function takeFingerprint(
  handle: FileHandle, length: number = limits.file.fingerprintBytes,
): Promise<{ readonly fingerprint: string; readonly fingerprintBytes: number }> {
  const bytes = await readBytes(handle, 0, length)
  return { fingerprint: createHash('sha256').update(bytes).digest('base64url'), fingerprintBytes: bytes.length }
}
