import type { TenantId } from '@tripline/model/tenant'
import { setImmediate as scheduleNext } from 'node:timers'
import { limits } from '../limits.ts'
import { FairQueue } from './fair-queue.ts'
import { TenantLoad } from './tenant-load.ts'

/** The event loop and its clock, replaced in tests. */
export type EventLoop = {
  readonly elapsedMs: () => number
  /** Calls back in the next iteration; two callbacks run in the order of the calls, the microtasks of the first in between. */
  readonly schedule: (callback: () => void) => void
  /** Calls back after some milliseconds. */
  readonly scheduleLater: (callback: () => void, delayMs: number) => void
}

type TurnRequest = { readonly tenants: readonly TenantId[]; readonly grant: (turnMs: number) => void }

/** A turn that was granted and may still be used. */
type Turn = { readonly tenants: readonly TenantId[]; readonly startedMs: number; readonly isShared: boolean }

const processLoop: EventLoop = {
  elapsedMs: () => performance.now(),
  schedule: (callback) => void scheduleNext(callback),
  scheduleLater: (callback, delayMs) => void setTimeout(callback, delayMs),
}

/**
 * Shares the event loop among flows of work, such as stages and the searches of tenants. Long work asks for a turn before each
 * slice of a few milliseconds. One turn is granted per iteration of the event loop, and flows are served in turn.
 *
 * Work of light tenants comes first. While some are active, turns of heavy tenants are short, and a pause follows each: heavy
 * tenants share a part of the time, so that a light tenant finds the event loop idle, or soon idle.
 */
export class FairTurns {
  readonly load: TenantLoad
  readonly #loop: EventLoop
  readonly #light = openQueue()
  readonly #heavy = openQueue()
  #isScheduled = false
  #isPausing = false
  /** Turns of light tenants since the last one of heavy tenants. */
  #lightTurnCount = 0
  /** When the pause after a turn of heavy tenants ends. */
  #heavyFromMs = -Infinity
  #turn: Turn | undefined

  constructor(loop: EventLoop = processLoop) {
    this.#loop = loop
    this.load = new TenantLoad(loop.elapsedMs)
  }

  readonly elapsedMs = (): number => this.#loop.elapsedMs()

  /**
   * Resolves when it is the turn of a flow, with the milliseconds for which it may work. `tenants` are those for whom it works;
   * default: the flow is the work of one tenant, and has its name. With `isAwaited` the turn comes as soon as one of light tenants:
   * these may wait for what the flow has begun, as for the holder of a lock that inherits their priority.
   */
  next(flow: string, tenants: readonly TenantId[] = [flow], isAwaited = false): Promise<number> {
    for (const tenant of tenants) this.load.charge(tenant, 0)
    return new Promise((grant) => {
      const queue = !isAwaited && this.#areHeavy(tenants) ? this.#heavy : this.#light
      queue.push(flow, { tenants, grant })
      this.#scheduleTurn()
    })
  }

  #scheduleTurn(): void {
    if (this.#isScheduled || (this.#light.isEmpty && this.#heavy.isEmpty)) return
    const pauseMs = this.#light.isEmpty ? this.#heavyFromMs - this.#loop.elapsedMs() : 0
    if (pauseMs <= 0) {
      this.#isScheduled = true
      // What was granted runs between the two.
      this.#loop.schedule(() => this.#grantTurn())
      this.#loop.schedule(() => this.#endTurn())
    } else if (!this.#isPausing) {
      this.#isPausing = true
      this.#loop.scheduleLater(() => {
        this.#isPausing = false
        this.#scheduleTurn()
      }, pauseMs)
    }
  }

  #grantTurn(): void {
    const startedMs = this.#loop.elapsedMs()
    const isHeavyDue = this.#isHeavyDue(startedMs)
    const [served] = (isHeavyDue ? this.#heavy : this.#light).take({ itemsMax: 1, workMax: 1 })
    if (served === undefined) return
    const { tenants, grant } = served.item
    const isShared = this.#areHeavy(tenants) && this.load.hasLight
    this.#lightTurnCount = isHeavyDue ? 0 : this.#lightTurnCount + 1
    this.#turn = { tenants, startedMs, isShared }
    grant(isShared ? limits.fairness.sharedTurnMs : limits.fairness.turnMs)
  }

  #areHeavy(tenants: readonly TenantId[]): boolean {
    return tenants.length > 0 && tenants.every((tenant) => this.load.isHeavy(tenant))
  }

  #isHeavyDue(nowMs: number): boolean {
    if (this.#heavy.isEmpty || nowMs < this.#heavyFromMs) return false
    return this.#light.isEmpty || this.#lightTurnCount >= limits.fairness.lightTurnsMax
  }

  #endTurn(): void {
    this.#isScheduled = false
    if (this.#turn !== undefined) {
      const { tenants, startedMs, isShared } = this.#turn
      const nowMs = this.#loop.elapsedMs()
      const tookMs = nowMs - startedMs
      for (const tenant of tenants) this.load.charge(tenant, tookMs / tenants.length)
      if (isShared) this.#heavyFromMs = nowMs + tookMs * (1 / limits.fairness.heavyShare - 1)
    }
    this.#turn = undefined
    this.#scheduleTurn()
  }
}

function openQueue(): FairQueue<TurnRequest> {
  return new FairQueue({ quantum: 1, estimateWork: () => 1 })
}
