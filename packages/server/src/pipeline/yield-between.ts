import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Message } from '../bus/bus.ts'
import { chunkBySize } from '../domain/chunk-by-size.ts'
import { limits } from '../limits.ts'

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
