import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { ResponseGuard } from './response-guard.ts'

function printResponse(announced: number, bytes: Uint8Array): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(announced)
  return Buffer.concat([size, bytes])
}

test.for<[title: string, stream: Buffer, isAccepted: boolean]>([
  ['responses one after the other', Buffer.concat([printResponse(3, Buffer.from('abc')), printResponse(0, Buffer.alloc(0)), printResponse(2, Buffer.from('de'))]), true],
  ['bytes of a response that look like a size', printResponse(8, Buffer.alloc(8, 0xff)), true],
  ['a response that is announced as too long', Buffer.concat([printResponse(1, Buffer.from('a')), printResponse(limits.broker.frameBytesMax + 1, Buffer.alloc(0))]), false],
])('%s', ([, stream, isAccepted]) => {
  for (const pieceSize of [1, 3, 1_000]) {
    const guard = new ResponseGuard()
    const pieces = Array.from({ length: Math.ceil(stream.length / pieceSize) }, (_none, index) => stream.subarray(index * pieceSize, (index + 1) * pieceSize))
    expect(pieces.every((piece) => guard.accepts(piece))).toBe(isAccepted)
  }
})
