import { chunkBySize } from '@tripline/common/chunk-by-size'
import { limits } from '../limits.ts'

/** Splits messages into batches that a bus accepts. */
export function splitForBus(messages: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  const { publishMessagesMax: itemsMax, publishBytesMax: bytesMax } = limits.bus
  return chunkBySize(messages, { itemsMax, bytesMax }, ({ length }) => length)
}
