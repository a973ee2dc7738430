import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Message } from '../bus/bus.ts'
import { limits } from '../limits.ts'

/** Does something with each message in order; after some milliseconds' worth of them others get their turn. */
export async function inTurns(messages: readonly Message[], work: (message: Message) => void): Promise<void> {
  for (const slice of slicesOf(messages)) {
    for (const message of slice) work(message)
    if (slice.at(-1) !== messages.at(-1)) await othersFirst()
  }
}

/** Cuts messages into slices that keep the process busy for a short time each. */
export function* slicesOf(messages: readonly Message[]): Generator<readonly Message[]> {
  const { turnEventsMax, turnBytesMax } = limits.pipeline
  let start = 0
  let byteCount = 0
  for (const [index, { bytes }] of messages.entries()) {
    if (index > start && (index - start === turnEventsMax || byteCount + bytes.length > turnBytesMax)) {
      yield messages.slice(start, index)
      start = index
      byteCount = 0
    }
    byteCount += bytes.length
  }
  if (start < messages.length) yield messages.slice(start)
}
