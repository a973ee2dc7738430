import { closeSync, openSync, readSync } from 'node:fs'

/** Reads at most `bytesMax` bytes of a file or a pipe; a pipe does not know its size beforehand. */
export function peek(file: string, bytesMax: number): Buffer {
  const handle = openSync(file, 'r')
  try {
    const pieces: Buffer[] = []
    let left = bytesMax
    while (left > 0) {
      const piece = Buffer.allocUnsafe(Math.min(left, 16_384))
      const count = readSync(handle, piece)
      if (count === 0) break
      pieces.push(piece.subarray(0, count))
      left -= count
    }
    return Buffer.concat(pieces)
  } finally {
    closeSync(handle)
  }
}
