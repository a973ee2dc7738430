import { limits } from '../limits.ts'
import type { ChangeResult, ChangeTerms } from './change.ts'

/** How a thing with a version is read and written. */
export type Versioned<T> = {
  readonly read: () => Promise<T | undefined>
  /** What it is to be; the same object where nothing changes. */
  readonly next: (current: T) => T
  /** Writes it where the version is still that of `current`, and says whether it was. */
  readonly write: (next: T, current: T) => Promise<boolean>
}

/**
 * Changes a thing under the version it was read with, so that no change of somebody else is lost: with an expected
 * version once, without one again from the start when somebody was faster.
 *
 * @throws Error when others were faster each time.
 */
export async function compareAndSet<T extends { readonly version: number }>(
  { expectedVersion }: Pick<ChangeTerms, 'expectedVersion'>,
  { read, next, write }: Versioned<T>,
): Promise<ChangeResult<T>> {
  for (let attempt = 0; attempt < limits.state.changeAttemptsMax; attempt++) {
    const current = await read()
    if (current === undefined) return { outcome: 'missing' }
    if (expectedVersion !== undefined && expectedVersion !== current.version) return { outcome: 'stale', version: current.version }
    const changed = next(current)
    if (changed === current) return { outcome: 'unchanged', value: current }
    if (await write(changed, current)) return { outcome: 'changed', value: changed }
  }
  throw new Error(`a change was tried ${limits.state.changeAttemptsMax} times, and somebody else was faster each time`)
}
