/** A manual clock; sleeping tasks wake when it reaches their time. */
export type ManualTime = {
  readonly now: () => number
  readonly elapsedMs: () => number
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  /** Waits until nothing happens any more without moving the clock. */
  readonly settle: () => Promise<void>
  /** Advances the clock, stopping at each wake-up until its effects have settled. */
  readonly pass: (delayMs: number) => Promise<void>
}

type Sleeper = { readonly wakesAt: number; readonly wake: () => void }

/** @param isIdle returns whether nothing depends on real time, such as a request. */
export function createManualTime(startMs: number, isIdle: () => boolean): ManualTime {
  let nowMs = startMs
  const sleepers = new Set<Sleeper>()
  const settle = async (): Promise<void> => {
    for (let calm = 0; calm < 8; calm++) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (!isIdle()) calm = 0
    }
  }
  return {
    now: () => nowMs,
    elapsedMs: () => nowMs,
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const sleeper = { wakesAt: nowMs + delayMs, wake: resolve }
        sleepers.add(sleeper)
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          reject(signal.reason)
        }, { once: true })
      }),
    settle,
    async pass(delayMs) {
      await settle()
      const endMs = nowMs + delayMs
      for (;;) {
        const next = [...sleepers].filter(({ wakesAt }) => wakesAt <= endMs).sort((a, b) => a.wakesAt - b.wakesAt)[0]
        nowMs = next === undefined ? endMs : Math.max(nowMs, next.wakesAt)
        if (next === undefined) return await settle()
        sleepers.delete(next)
        next.wake()
        await settle()
      }
    },
  }
}
