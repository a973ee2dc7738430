/** A keyed semaphore: limits how many tasks run at once under one key; the others wait in FIFO order. */
export class KeyedSemaphore {
  readonly #permitsMax: number
  readonly #permits = new Map<string, Permits>()

  constructor(atOnceMax: number) {
    this.#permitsMax = atOnceMax
  }

  /** Runs the work with a permit. @throws the signal's reason if it aborts before that; whatever the work throws. */
  async run<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const places = this.#permits.get(key) ?? { takenCount: 0, waiting: new Set() }
    this.#permits.set(key, places)
    await this.#acquire(places, signal)
    try {
      return await work()
    } finally {
      this.#release(key, places)
    }
  }

  async #acquire(places: Permits, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (places.takenCount < this.#permitsMax) {
      places.takenCount++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const waiter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      function leave(): void {
        places.waiting.delete(waiter)
        reject(signal.reason)
      }
      places.waiting.add(waiter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Passes the permit to the longest waiting task, or returns it. */
  #release(key: string, places: Permits): void {
    const [next] = places.waiting
    if (next === undefined) {
      places.takenCount--
      if (places.takenCount === 0) this.#permits.delete(key)
      return
    }
    places.waiting.delete(next)
    next()
  }
}

type Permits = { takenCount: number; readonly waiting: Set<() => void> }
