/** Lets only so many under one key do something at once; the others wait, in the order in which they came. */
export class Turns {
  readonly #atOnceMax: number
  readonly #places = new Map<string, Places>()

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  /** Does the work when it is its turn. @throws the signal's reason where it comes before that; whatever the work throws. */
  async run<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const places = this.#places.get(key) ?? { takenCount: 0, waiting: new Set() }
    this.#places.set(key, places)
    await this.#place(places, signal)
    try {
      return await work()
    } finally {
      this.#giveOn(key, places)
    }
  }

  async #place(places: Places, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (places.takenCount < this.#atOnceMax) {
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
  #giveOn(key: string, places: Places): void {
    const [next] = places.waiting
    if (next === undefined) {
      places.takenCount--
      if (places.takenCount === 0) this.#places.delete(key)
      return
    }
    places.waiting.delete(next)
    next()
  }
}

type Places = { takenCount: number; readonly waiting: Set<() => void> }
