import type { PollOptions } from './bus.ts'

type WaitOptions = Pick<PollOptions, 'waitMs' | 'signal'>

/** Wakes those who wait for messages. */
export class Wakeup {
  #waiters = new Set<() => void>()
  #count = 0

  /** Goes up with each arrival: whoever saw a number waits for another one. */
  get count(): number {
    return this.#count
  }

  notify(): void {
    this.#count++
    for (const wake of this.#waiters) wake()
  }

  /** Resolves with whether something arrived since a count; false when the time or the signal ended the wait. */
  async waitSince(count: number, { waitMs, signal }: WaitOptions): Promise<boolean> {
    if (count === this.#count && waitMs !== 0 && signal?.aborted !== true) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const wake = () => resolve()
      const timer = waitMs === undefined ? undefined : setTimeout(wake, waitMs)
      signal?.addEventListener('abort', wake)
      this.#waiters.add(wake)
      await promise
      this.#waiters.delete(wake)
      signal?.removeEventListener('abort', wake)
      clearTimeout(timer)
    }
    return count !== this.#count && signal?.aborted !== true
  }
}
