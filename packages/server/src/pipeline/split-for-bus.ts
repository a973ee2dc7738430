import { chunkBySize } from '../domain/chunk-by-size.ts'
import { limits } from '../limits.ts'

/** As many messages at once as a bus takes. */
export function splitForBus(messages: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  const { publishMessagesMax: itemsMax, publishBytesMax: bytesMax } = limits.bus
  return chunkBySize(messages, { itemsMax, bytesMax }, ({ length }) => length)
}
