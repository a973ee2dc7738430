import { chunkBySize } from '@tripline/common/chunk-by-size'
import type { Message } from '@tripline/storage/bus/bus'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../../limits.ts'

/** Calls a function with each message in order, and yields to the event loop after some milliseconds' worth of them. */
export async function forEachYielding(messages: readonly Message[], work: (message: Message) => void): Promise<void> {
  for (const slice of sliceMessages(messages)) {
    for (const message of slice) work(message)
    if (slice.at(-1) !== messages.at(-1)) await othersFirst()
  }
}

/** Splits messages into slices that keep the event loop busy for a short time each. */
export function sliceMessages(messages: readonly Message[]): Generator<readonly Message[]> {
  const { turnEventsMax: itemsMax, turnBytesMax: bytesMax } = limits.pipeline
  return chunkBySize(messages, { itemsMax, bytesMax }, ({ bytes }) => bytes.length)
}
