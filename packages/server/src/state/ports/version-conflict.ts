import { AppError } from '@tripline/contract/app-error'
import type { ChangeResult } from './change.ts'

/** A change with the expected versions of the resource; undefined for any. */
export type VersionedPatch<Patch> = { readonly patch: Patch; readonly versions: ExpectedVersions }

export type ExpectedVersions = readonly number[] | undefined

/**
 * Optimistic concurrency: checks the version of a resource against `If-Match`. @throws AppError PRECONDITION_FAILED with the
 * current version.
 */
export function checkVersion({ version }: { readonly version: number }, versions: ExpectedVersions, name: string): void {
  if (versions !== undefined && !versions.includes(version)) throw createVersionConflict(name, version)
}

/** The resource after a change. @throws AppError NOT_FOUND, or PRECONDITION_FAILED if another request changed it first. */
export function unwrapChange<T>(change: ChangeResult<T>, name: string): T {
  if (change.outcome === 'missing') throw notFound(name)
  if (change.outcome === 'stale') throw createVersionConflict(name, change.version)
  return change.value
}

/** Returns a resource that exists. @throws AppError NOT_FOUND if it does not. */
export function requireFound<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw notFound(name)
  return thing
}

/** The error for a missing resource; it is the same if another tenant has it. */
export function notFound(name: string): AppError {
  return new AppError('NOT_FOUND', `there is no such ${name}`)
}

function createVersionConflict(name: string, version: number): AppError {
  return new AppError('PRECONDITION_FAILED', `the ${name} was changed meanwhile and has version ${version}; read it again`, { version })
}
