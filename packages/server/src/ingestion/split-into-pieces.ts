import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from './limits.ts'

/** Hands a file to a parser in pieces of at most `limits.imports.pieceBytesMax`; others run between two of them. */
export async function* splitIntoPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const { pieceBytesMax } = limits.imports
  for (let start = 0; start < bytes.length; start += pieceBytesMax) {
    yield bytes.subarray(start, start + pieceBytesMax)
    await othersFirst()
  }
}
