import type { ConnectorDeps } from './connector-deps.ts'

type RunEveryOptions = {
  readonly signal: AbortSignal
  /** Milliseconds to wait after a failed run. */
  readonly afterFailureMs: number
  /** Called with an error, which does not end the repetition; not called for an abort. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Runs a task again and again with the delay that each run returns, until it returns undefined or the signal aborts.
 */
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
    // Only the abort ends a sleep early, and the loop ends with it.
    await sleep(delayMs, signal).catch(() => undefined)
  }
}
