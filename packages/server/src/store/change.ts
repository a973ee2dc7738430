/**
 * What became of a change. `unchanged`: the thing is already as it should be. `stale`: it has another version than
 * the one that was expected, and nothing was changed. `missing`: the tenant has no such thing.
 */
export type ChangeResult<T> =
  | { readonly outcome: 'changed' | 'unchanged'; readonly value: T }
  | { readonly outcome: 'stale'; readonly version: number }
  | { readonly outcome: 'missing' }

/** Under which version a change is to be made, when it is made, and nothing else in common. */
export type ChangeTerms = {
  /** The version that the caller has seen; undefined for whatever there is. */
  readonly expectedVersion: number | undefined
  readonly at: number
}

/** Whether something new was kept, or its id, name or email was there already and nothing was changed. */
export type Insertion = 'inserted' | 'taken'
