import type { StateStore } from '../../src/store/state-store.ts'
import { PowerLost, SimulatedDisk } from '../events/simulated-disk.ts'

/** The power of everything that keeps something: counts its steps, and goes at one of them. */
export class Power {
  stepCount = 0
  isOff = false
  readonly #cutAt: number | undefined

  constructor(cutAt?: number) {
    this.#cutAt = cutAt
  }

  /** Whether the power is there for one more step. */
  step(): boolean {
    if (this.stepCount++ === this.#cutAt) this.isOff = true
    return !this.isOff
  }

  /** What a disk does at a step. */
  readonly faultAt = (): 'powerCut' | undefined => (this.step() ? undefined : 'powerCut')
}

/** An empty disk under that power. */
export function diskUnder(power: Power): SimulatedDisk {
  return new SimulatedDisk({ faultAt: power.faultAt })
}

/** The state under that power: what is committed is safe at once, and the power may go before or after it. */
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

/** Does something that ends when the power goes, if it goes; other errors are errors. */
export async function whilePowered(power: Power, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!power.isOff) throw error
  }
}
