import { setTimeout as pause } from 'node:timers/promises'

/** Resolves after some milliseconds, or at once when the signal aborts. */
export async function sleep(lengthMs: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(lengthMs, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
