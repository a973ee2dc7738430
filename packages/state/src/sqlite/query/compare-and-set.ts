import { isUnedited } from '@tripline/model/edited-version'
import { limits } from '../../limits.ts'
import type { ChangeResult, ChangeTerms } from '../../ports/change.ts'

/** How to read and write a versioned resource. */
type Versioned<T> = {
  readonly read: () => Promise<T | undefined>
  /** The new value; the same object if nothing changes. */
  readonly next: (current: T) => T
  /** Writes it if the version is still that of `current`; returns whether it was. */
  readonly write: (next: T, current: T) => Promise<boolean>
}

/**
 * Changes a resource under optimistic concurrency: with an expected version once; without one, retried when another
 * writer was faster.
 *
 * @throws Error when other writers were faster each time.
 */
export async function compareAndSet<T extends { readonly version: number }>(
  { expectedVersion }: Pick<ChangeTerms, 'expectedVersion'>,
  { read, next, write }: Versioned<T>,
): Promise<ChangeResult<T>> {
  for (let attempt = 0; attempt < limits.state.changeAttemptsMax; attempt++) {
    const current = await read()
    if (current === undefined) return { outcome: 'missing' }
    if (expectedVersion !== undefined && !isUnedited(current, expectedVersion)) return { outcome: 'stale', version: current.version }
    const changed = next(current)
    if (changed === current) return { outcome: 'unchanged', value: current }
    if (await write(changed, current)) return { outcome: 'changed', value: changed }
  }
  throw new Error(`the change lost against other writers ${limits.state.changeAttemptsMax} times; retry it`)
}
