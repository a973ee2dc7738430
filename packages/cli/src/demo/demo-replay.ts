import type { ApiClient } from './demo-client.ts'
import { moveToNow } from './demo-samples.ts'

/** Milliseconds between two sample events: two a second move the live numbers, and leave the log readable. */
const pauseMs = 500

type ReplayOptions = {
  readonly samples: readonly string[]
  readonly call: ApiClient
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Told what went wrong with an event; the next is sent all the same. */
  readonly onError: (error: unknown) => void
}

/** Sends sample events one by one, over and over, until it is stopped; that resolves when the last one is answered. */
export function startReplay({ samples, call, now, onError }: ReplayOptions): { readonly stop: () => Promise<void> } {
  let sentCount = 0
  let sending = Promise.resolve()
  const timer = setInterval(() => {
    const sample = samples[sentCount % samples.length] ?? '[]'
    const round = 1 + Math.floor(sentCount / samples.length)
    sentCount++
    const body = moveToNow(sample, { at: now(), round })
    sending = sending.then(() => call('/ingest/v1/events', { body })).then(() => {}, onError)
  }, pauseMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await sending
    },
  }
}
