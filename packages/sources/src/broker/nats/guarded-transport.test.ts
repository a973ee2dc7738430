import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { FrameGuard } from './guarded-transport.ts'

const { frameBytesMax, lineBytesMax } = limits.broker

/** Whether all pieces of a stream are accepted, whatever the size of the pieces. */
function accepts(text: string, pieceSize: number): boolean {
  const guard = new FrameGuard()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceSize) if (!guard.accepts(bytes.subarray(at, at + pieceSize))) return false
  return true
}

test.for<[title: string, text: string, isAccepted: boolean]>([
  ['messages and lines', 'PING\r\nMSG a 1 3\r\nabc\r\nHMSG a 1 _INBOX.x 2 4\r\nabcd\r\n+OK\r\n', true],
  ['a message whose bytes look like a long one', `MSG a 1 ${'MSG a 1 999999999\r\n'.length}\r\nMSG a 1 999999999\r\n\r\nPING\r\n`, true],
  ['a message that is announced as too long', `PING\r\nMSG a 1 ${frameBytesMax + 1}\r\n`, false],
  ['a message with headers that is announced as too long', `HMSG a 1 5 ${frameBytesMax + 1}\r\n`, false],
  ['a line that does not end', 'x'.repeat(lineBytesMax + 1), false],
])('%s', ([, text, isAccepted]) => {
  for (const pieceSize of [1, 7, 65_536]) {
    if (text.length / pieceSize > 100_000) continue
    expect(accepts(text, pieceSize)).toBe(isAccepted)
  }
})
