import { setImmediate as scheduleNext } from 'node:timers'
import { FairQueue } from './fair-queue.ts'

/**
 * Shares the event loop among flows of work: those of tenants, such as their searches, and stages, which serve tenants fairly
 * themselves. Long work asks for a turn before each slice of a few milliseconds. One turn is granted per iteration of the event
 * loop, and flows are served in turn: a flow with much work delays a request, and the next slice of another flow, by one slice.
 */
export class FairTurns {
  readonly #schedule: (grant: () => void) => void
  readonly #waiting = new FairQueue<() => void>({ quantum: 1, estimateWork: () => 1 })
  #isScheduled = false

  /** `schedule` calls back in the next iteration of the event loop. */
  constructor(schedule: (grant: () => void) => void = scheduleNext) {
    this.#schedule = schedule
  }

  /** Resolves when it is the turn of a flow to work for some milliseconds. */
  next(flow: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(flow, resolve)
      this.#scheduleGrant()
    })
  }

  #scheduleGrant(): void {
    if (this.#isScheduled || this.#waiting.isEmpty) return
    this.#isScheduled = true
    this.#schedule(() => {
      this.#isScheduled = false
      for (const { item: grant } of this.#waiting.take({ itemsMax: 1, workMax: 1 })) grant()
      this.#scheduleGrant()
    })
  }
}
