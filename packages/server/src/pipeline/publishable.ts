import { limits } from '../limits.ts'

/** As many messages at once as a bus takes. */
export function* publishable(messages: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  const { publishMessagesMax, publishBytesMax } = limits.bus
  let start = 0
  let byteCount = 0
  for (const [index, { length }] of messages.entries()) {
    if (index - start === publishMessagesMax || byteCount + length > publishBytesMax) {
      yield messages.slice(start, index)
      start = index
      byteCount = 0
    }
    byteCount += length
  }
  if (start < messages.length) yield messages.slice(start)
}
