/**
 * The outcome of a change. `unchanged`: the resource already has these values. `stale`: it has another version than the
 * expected one, and nothing was changed. `missing`: the tenant has no such resource.
 */
export type ChangeResult<T> =
  | { readonly outcome: 'changed' | 'unchanged'; readonly value: T }
  | { readonly outcome: 'stale'; readonly version: number }
  | { readonly outcome: 'missing' }

/** The terms of a change under optimistic concurrency. */
export type ChangeTerms = {
  /** The version that the caller has seen; undefined for any. */
  readonly expectedVersion: number | undefined
  readonly at: number
}

/** Whether a resource was inserted, or its id, name or email is taken. */
export type Insertion = 'inserted' | 'taken'
