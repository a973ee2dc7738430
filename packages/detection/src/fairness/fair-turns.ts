import { getThreadCpuMs } from '@tripline/common/processor-time'
import type { TenantId } from '@tripline/model/tenant'
import { setImmediate as scheduleNext } from 'node:timers'
import { limits } from '../limits.ts'
import { FairQueue } from './fair-queue.ts'
import { TenantLoad } from './tenant-load.ts'

/** The event loop and its clocks, replaced in tests. */
export type EventLoop = {
  readonly elapsedMs: () => number
  /** Milliseconds of processor time of the thread. */
  readonly processorMs: () => number
  /** Calls back in the next iteration; two callbacks run in the order of the calls, the microtasks of the first in between. */
  readonly schedule: (callback: () => void) => void
  /** Calls back after some milliseconds. */
  readonly scheduleLater: (callback: () => void, delayMs: number) => void
}

type TurnRequest = { readonly tenants: readonly TenantId[]; readonly grant: (turnMs: number) => void }

/** A turn that was granted and may still be used, and the processor time when it began. */
type Turn = { readonly tenants: readonly TenantId[]; readonly processorMs: number; readonly isShared: boolean }

const processLoop: EventLoop = {
  elapsedMs: () => performance.now(),
  processorMs: getThreadCpuMs,
  schedule: (callback) => void scheduleNext(callback),
  scheduleLater: (callback, delayMs) => void setTimeout(callback, delayMs),
}

/**
 * Shares the event loop among flows of work, such as stages and the searches of tenants. Long work asks for a turn before each
 * slice of a few milliseconds. Flows are served in turn, and the turns of an iteration of the event loop together last as long as
 * one: of several short ones none waits for other work of the loop.
 *
 * Work of light tenants comes first. While some are active, turns of heavy tenants are short, one at a time, and a pause follows
 * each: heavy tenants share a part of the time, so that a light tenant finds the event loop idle, or soon idle. A tenant whose work
 * waits for heavy turns stays heavy, however little it gets. Tenants pay for the processor time of their turns, so that a busy
 * machine makes none of them heavy.
 */
export class FairTurns {
  readonly load: TenantLoad
  readonly #loop: EventLoop
  readonly #light = openQueue()
  readonly #heavy = openQueue()
  #isScheduled = false
  #isPausing = false
  /** Iterations with turns of light tenants since the last turn of heavy ones. */
  #lightCount = 0
  /** When the pause after a turn of heavy tenants ends. */
  #heavyFromMs = -Infinity
  #turn: Turn | undefined
  /** When the first turn of the iteration began, and whether light tenants may have what is left of it. */
  #iterationStartedMs = 0
  #hasRest = false

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
      const isHeavy = !isAwaited && this.#areHeavy(tenants)
      if (isHeavy) for (const tenant of tenants) this.load.beginWait(tenant)
      const queue = isHeavy ? this.#heavy : this.#light
      queue.push(flow, { tenants, grant })
      this.#scheduleTurn()
    })
  }

  #scheduleTurn(): void {
    if (this.#isScheduled || (this.#light.isEmpty && this.#heavy.isEmpty)) return
    const pauseMs = this.#light.isEmpty ? this.#heavyFromMs - this.#loop.elapsedMs() : 0
    if (pauseMs <= 0) {
      this.#isScheduled = true
      this.#loop.schedule(() => this.#grantFirst())
      for (let turn = 1; turn < limits.fairness.iterationTurnsMax; turn++) this.#loop.schedule(() => this.#grantAnother())
      this.#loop.schedule(() => this.#endIteration())
    } else if (!this.#isPausing) {
      this.#isPausing = true
      this.#loop.scheduleLater(() => {
        this.#isPausing = false
        this.#scheduleTurn()
      }, pauseMs)
    }
  }

  #grantFirst(): void {
    this.#iterationStartedMs = this.#loop.elapsedMs()
    const isHeavyDue = this.#isHeavyDue(this.#iterationStartedMs)
    const [served] = (isHeavyDue ? this.#heavy : this.#light).take({ itemsMax: 1, workMax: 1 })
    if (served === undefined) return
    const { tenants } = served.item
    if (isHeavyDue) for (const tenant of tenants) this.load.endWait(tenant)
    this.#lightCount = isHeavyDue ? 0 : this.#lightCount + 1
    this.#hasRest = !isHeavyDue
    this.#beginTurn(served.item, limits.fairness.turnMs)
  }

  /** Grants what is left of an iteration to another light tenant. What was granted before has run by now. */
  #grantAnother(): void {
    this.#endTurn()
    const restMs = limits.fairness.turnMs - (this.#loop.elapsedMs() - this.#iterationStartedMs)
    if (!this.#hasRest || restMs <= 0) return
    const [served] = this.#light.take({ itemsMax: 1, workMax: 1 })
    if (served !== undefined) this.#beginTurn(served.item, restMs)
  }

  #beginTurn({ tenants, grant }: TurnRequest, turnMs: number): void {
    const isShared = this.#areHeavy(tenants) && this.load.hasLight
    // What light tenants wait for may be the work of heavy ones: it ends the iteration.
    if (isShared) this.#hasRest = false
    this.#turn = { tenants, processorMs: this.#loop.processorMs(), isShared }
    grant(isShared ? Math.min(turnMs, limits.fairness.sharedTurnMs) : turnMs)
  }

  #areHeavy(tenants: readonly TenantId[]): boolean {
    return tenants.length > 0 && tenants.every((tenant) => this.load.isHeavy(tenant))
  }

  #isHeavyDue(nowMs: number): boolean {
    if (this.#heavy.isEmpty || nowMs < this.#heavyFromMs) return false
    return this.#light.isEmpty || this.#lightCount >= limits.fairness.lightTurnsMax
  }

  #endTurn(): void {
    if (this.#turn === undefined) return
    const { tenants, processorMs, isShared } = this.#turn
    const tookMs = this.#loop.processorMs() - processorMs
    for (const tenant of tenants) this.load.charge(tenant, tookMs / tenants.length)
    if (isShared) this.#heavyFromMs = this.#loop.elapsedMs() + tookMs * (1 / limits.fairness.heavyShare - 1)
    this.#turn = undefined
  }

  #endIteration(): void {
    this.#endTurn()
    this.#isScheduled = false
    this.#scheduleTurn()
  }
}

function openQueue(): FairQueue<TurnRequest> {
  return new FairQueue({ quantum: 1, estimateWork: () => 1 })
}
