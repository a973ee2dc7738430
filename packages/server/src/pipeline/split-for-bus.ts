import { slicesOf } from '../domain/chunk-by-size.ts'
import { limits } from '../limits.ts'

/** As many messages at once as a bus takes. */
export function publishable(messages: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  const { publishMessagesMax: itemsMax, publishBytesMax: bytesMax } = limits.bus
  return slicesOf(messages, { itemsMax, bytesMax }, ({ length }) => length)
}
