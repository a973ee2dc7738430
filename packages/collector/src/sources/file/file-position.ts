import { isJsonObject } from '@tripline/common/json'

/** A file that was read, wherever it was moved since. */
export type FilePosition = {
  /** Device and number of the file. */
  readonly identity: string
  /** The path under which it is configured. */
  readonly path: string
  /** Bytes that were read; of files that are read whole, events. */
  readonly offset: number
  /** Hash of the first bytes, and how many they are: a number is given to another file one day. */
  readonly fingerprint: string
  readonly fingerprintBytes: number
  /** Its line is longer than the limit: what comes is skipped up to its end. */
  readonly isSkipping?: true
  /** Nothing is read of it: it was there before the source, or is a copy. */
  readonly isDone?: true
}

/** Reads the positions of a source; what is none is a beginning. */
export function parseFilePositions(value: unknown): FilePosition[] {
  const files = isJsonObject(value) && Array.isArray(value['files']) ? value['files'] : []
  return files.flatMap((file: unknown) => {
    if (!isJsonObject(file)) return []
    const { identity, path, offset, fingerprint, fingerprintBytes, isSkipping, isDone } = file
    const isWhole = typeof identity === 'string' && typeof path === 'string' && typeof fingerprint === 'string'
    if (!isWhole || typeof offset !== 'number' || typeof fingerprintBytes !== 'number') return []
    return [{
      identity, path, offset, fingerprint, fingerprintBytes, ...(isSkipping === true && { isSkipping }), ...(isDone === true && { isDone }),
    }]
  })
}
