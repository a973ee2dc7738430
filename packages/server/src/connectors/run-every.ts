import type { ConnectorDeps } from './connector-deps.ts'

export type RunEveryOptions = {
  readonly signal: AbortSignal
  /** Milliseconds after a time that failed. */
  readonly afterFailureMs: number
  /** Told of what went wrong, which ends nothing; not of what the signal broke off. */
  readonly onFailure: (error: unknown) => void
}

/** Does something again and again, as long after each time as it says, until it says nothing or the signal comes. */
export async function runEvery(
  sleep: ConnectorDeps['sleep'], { signal, afterFailureMs, onFailure }: RunEveryOptions, once: () => Promise<number | undefined>,
): Promise<void> {
  while (!signal.aborted) {
    let delayMs: number | undefined = afterFailureMs
    try {
      delayMs = await once()
    } catch (error) {
      if (!signal.aborted) onFailure(error)
    }
    if (delayMs === undefined) return
    // The one thing that a wait ends with before its time is the end of all.
    await sleep(delayMs, signal).catch(() => undefined)
  }
}
