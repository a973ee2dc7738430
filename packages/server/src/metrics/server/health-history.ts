import { limits } from '../limits.ts'

/** What the server was like in a minute. */
export type HealthSample = {
  readonly at: number
  /** The longest lag of the event loop in it, in milliseconds. */
  readonly loopLagMs: number
  readonly host: HostFigures | undefined
}

/** What the host said at its end. */
type HostFigures = {
  readonly residentBytes: number
  readonly heapBytes: number
  readonly disk: { readonly freeBytes: number } | undefined
}

/** The last day of the server as a whole, minute by minute, since the start of the process. */
export class HealthHistory {
  readonly #readHost: () => Promise<HostFigures | undefined>
  #samples: readonly HealthSample[] = []
  #loopLagMs = 0
  #dueAt = -Infinity

  constructor(readHost: () => Promise<HostFigures | undefined>) {
    this.#readHost = readHost
  }

  /** Oldest first. */
  get samples(): readonly HealthSample[] {
    return this.#samples
  }

  /** Call it every few seconds: takes a sample if a minute is over. */
  async note(at: number, loopLagMs: number): Promise<void> {
    this.#loopLagMs = Math.max(this.#loopLagMs, loopLagMs)
    const { healthEveryMs, healthSamplesMax } = limits.metrics
    if (at < this.#dueAt) return
    this.#dueAt = at + healthEveryMs
    const sample = { at, loopLagMs: this.#loopLagMs, host: await this.#readHost() }
    this.#loopLagMs = 0
    this.#samples = [...this.#samples, sample].slice(-healthSamplesMax)
  }
}

const dayMs = 86_400_000

/**
 * Days until the disk is full, if it goes on to fill as it did; undefined where it does not fill, or was not watched for an hour.
 */
export function forecastDisk(samples: readonly HealthSample[]): number | undefined {
  const known = samples.flatMap(({ at, host }) => (host?.disk === undefined ? [] : [{ at, freeBytes: host.disk.freeBytes }]))
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined || last.at - first.at < limits.metrics.diskWatchedMs) return undefined
  const bytesPerDay = ((first.freeBytes - last.freeBytes) / (last.at - first.at)) * dayMs
  return bytesPerDay <= 0 ? undefined : last.freeBytes / bytesPerDay
}
