import type { EventLoop } from '../../src/fairness/fair-turns.ts'

/** An event loop with a clock that stands still but for the work, the pauses, and the other processes of a test. */
export class VirtualLoop implements EventLoop {
  nowMs = 0
  /** Milliseconds of them in which other processes had the core. */
  othersMs = 0
  /** The milliseconds that each pause had left when it began. */
  readonly pauses: number[] = []
  #scheduled: (() => void)[] = []
  #later: { readonly atMs: number; readonly callback: () => void }[] = []

  readonly elapsedMs = (): number => this.nowMs

  readonly processorMs = (): number => this.nowMs - this.othersMs

  schedule(callback: () => void): void {
    this.#scheduled.push(callback)
  }

  scheduleLater(callback: () => void, delayMs: number): void {
    this.pauses.push(delayMs)
    this.#later.push({ atMs: this.nowMs + delayMs, callback })
  }

  /** Runs one iteration: what is scheduled, with the microtasks of each callback; without any, time passes to the next pause. */
  async iterate(): Promise<void> {
    if (this.#scheduled.length === 0) {
      const next = this.#later.shift()
      if (next === undefined) return
      this.nowMs = Math.max(this.nowMs, next.atMs)
      next.callback()
    }
    const due = this.#scheduled
    this.#scheduled = []
    for (const callback of due) {
      callback()
      // The microtasks of a turn await several promises in a row.
      for (let i = 0; i < 20; i++) await Promise.resolve()
    }
  }
}
