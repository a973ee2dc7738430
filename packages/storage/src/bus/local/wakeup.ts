import type { PollOptions } from '../bus.ts'

type WaitOptions = Pick<PollOptions, 'waitMs' | 'signal'>

/** A condition variable: wakes the tasks that wait for messages. */
export class Wakeup {
  #waiters = new Set<() => void>()
  #count = 0

  /** Counts the notifications: a waiter passes the count it has seen. */
  get count(): number {
    return this.#count
  }

  notify(): void {
    this.#count++
    for (const wake of this.#waiters) wake()
  }

  /** Resolves with whether there was a notification since a count; false when the time or the signal ended the wait. */
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
