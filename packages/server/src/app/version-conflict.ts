import { AppError } from '../domain/app-error.ts'
import type { ChangeResult } from '../store/change.ts'

/** A change, and under which versions it is to be made: those that the caller has seen; undefined for any. */
export type VersionedPatch<Patch> = { readonly patch: Patch; readonly versions: ExpectedVersions }

export type ExpectedVersions = readonly number[] | undefined

/** Refuses to change what is of another version than was seen. @throws AppError PRECONDITION_FAILED with the present one (D-40). */
export function checkVersion({ version }: { readonly version: number }, versions: ExpectedVersions, name: string): void {
  if (versions !== undefined && !versions.includes(version)) throw createVersionConflict(name, version)
}

/** The thing after a change. @throws AppError NOT_FOUND, or PRECONDITION_FAILED where somebody else was faster. */
export function unwrapChange<T>(change: ChangeResult<T>, name: string): T {
  if (change.outcome === 'missing') throw notFound(name)
  if (change.outcome === 'stale') throw createVersionConflict(name, change.version)
  return change.value
}

/** What is there. @throws AppError NOT_FOUND where nothing is. */
export function requireFound<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw notFound(name)
  return thing
}

/** Says that the tenant has no such thing; the same where another tenant has it (G5). */
export function notFound(name: string): AppError {
  return new AppError('NOT_FOUND', `there is no such ${name}`)
}

function createVersionConflict(name: string, version: number): AppError {
  return new AppError('PRECONDITION_FAILED', `the ${name} was changed meanwhile and has version ${version}; read it again`, { version })
}
