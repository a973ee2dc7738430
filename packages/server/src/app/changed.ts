import { AppError } from '../domain/app-error.ts'
import type { Change } from '../store/state-store.ts'

/** A change, and the version that it is to be made under; undefined for any. */
export type Patched<Patch> = { readonly patch: Patch; readonly expectedVersion: number | undefined }

/**
 * The thing after a change.
 *
 * @throws AppError NOT_FOUND, or PRECONDITION_FAILED with the present version where another was expected (D-40).
 */
export function changed<T>(change: Change<T>, name: string): T {
  if (change.outcome === 'missing') throw notFound(name)
  if (change.outcome === 'stale') {
    const { version } = change
    throw new AppError('PRECONDITION_FAILED', `the ${name} has changed since; its version is now ${version}`, { version })
  }
  return change.value
}

/** Says that the tenant has no such thing; the same where another tenant has it (G5). */
export function notFound(name: string): AppError {
  return new AppError('NOT_FOUND', `there is no such ${name}`)
}
