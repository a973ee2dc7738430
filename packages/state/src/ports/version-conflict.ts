import { isUnedited } from '@tripline/model/edited-version'
import type { ChangeResult } from './change.ts'
import { StoreError } from './store-error.ts'

/** A change with the expected versions of the resource; undefined for any. */
export type VersionedPatch<Patch> = { readonly patch: Patch; readonly versions: ExpectedVersions }

export type ExpectedVersions = readonly number[] | undefined

/**
 * Optimistic concurrency: checks the version of a resource against `If-Match`. @throws StoreError VERSION_CONFLICT with the
 * current version.
 */
export function checkVersion<T extends { readonly version: number }>(resource: T, versions: ExpectedVersions, name: string): void {
  if (versions?.some((seen) => isUnedited(resource, seen)) === false) throw createVersionConflict(name, resource.version)
}

/** The resource after a change. @throws StoreError NOT_FOUND, or VERSION_CONFLICT if another request changed it first. */
export function unwrapChange<T>(change: ChangeResult<T>, name: string): T {
  if (change.outcome === 'missing') throw notFound(name)
  if (change.outcome === 'stale') throw createVersionConflict(name, change.version)
  return change.value
}

/** Returns a resource that exists. @throws StoreError NOT_FOUND if it does not. */
export function requireFound<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw notFound(name)
  return thing
}

/** The error for a missing resource; it is the same if another tenant has it. */
export function notFound(name: string): StoreError {
  return new StoreError('NOT_FOUND', `there is no such ${name}`)
}

function createVersionConflict(name: string, version: number): StoreError {
  const message = `the ${name} was changed meanwhile and has version ${version}; read it again`
  return new StoreError('VERSION_CONFLICT', message, { details: { version } })
}
