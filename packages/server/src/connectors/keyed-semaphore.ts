/** Lets only so many under one key do something at once; the others wait, in the order in which they came. */
export class KeyedSemaphore {
  readonly #permitsMax: number
  readonly #permits = new Map<string, Permits>()

  constructor(atOnceMax: number) {
    this.#permitsMax = atOnceMax
  }

  /** Does the work when it is its turn. @throws the signal's reason where it comes before that; whatever the work throws. */
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
      const leave = (): void => {
        places.waiting.delete(waiter)
        reject(signal.reason)
      }
      places.waiting.add(waiter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Gives the place to who waits longest, or up. */
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
