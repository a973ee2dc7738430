import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Message } from '../bus/bus.ts'
import { chunkBySize } from '../domain/chunk-by-size.ts'
import { limits } from '../limits.ts'

/** Does something with each message in order; after some milliseconds' worth of them others get their turn. */
export async function forEachYielding(messages: readonly Message[], work: (message: Message) => void): Promise<void> {
  for (const slice of sliceMessages(messages)) {
    for (const message of slice) work(message)
    if (slice.at(-1) !== messages.at(-1)) await othersFirst()
  }
}

/** Cuts messages into slices that keep the process busy for a short time each. */
export function sliceMessages(messages: readonly Message[]): Generator<readonly Message[]> {
  const { turnEventsMax: itemsMax, turnBytesMax: bytesMax } = limits.pipeline
  return chunkBySize(messages, { itemsMax, bytesMax }, ({ bytes }) => bytes.length)
}
