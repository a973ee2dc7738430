import type { StateStore } from '@tripline/state/ports/state-store'
import { PowerLost, SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'

/** The power supply of all stores: counts their steps, and fails at one of them. */
export class Power {
  stepCount = 0
  isOff = false
  readonly #cutAt: number | undefined

  constructor(cutAt?: number) {
    this.#cutAt = cutAt
  }

  /** Whether the power lasts for one more step. */
  step(): boolean {
    if (this.stepCount++ === this.#cutAt) this.isOff = true
    return !this.isOff
  }

  /** The effect on a disk step. */
  readonly faultAt = (): 'powerCut' | undefined => (this.step() ? undefined : 'powerCut')
}

/** An empty disk under that power. */
export function diskUnder(power: Power): SimulatedDisk {
  return new SimulatedDisk({ faultAt: power.faultAt })
}

/** The state under that power: commits are durable at once, and the power may fail before or after one. */
export function stateUnder(power: Power, state: StateStore): StateStore {
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!power.step()) throw new PowerLost()
    const result = await work()
    if (!power.step()) throw new PowerLost()
    return result
  }
  return {
    ...state,
    alerts: { ...state.alerts, insert: (tenant, matches) => guard(() => state.alerts.insert(tenant, matches)) },
    transaction: (work) => guard(() => state.transaction(work)),
  }
}

/** Runs work that a power failure may end; rethrows other errors. */
export async function whilePowered(power: Power, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!power.isOff) throw error
  }
}
