/** Why a store rejects a call. It knows no protocol: `errors/to-app-error.ts` maps these codes to those of requests. */
type StoreErrorCode =
  /** A row that decides something, such as what a user may do, is corrupted; it is not used. */
  | 'CORRUPTED_ROW'
  /** A filter, an order or the position of a page is invalid. */
  | 'INVALID_QUERY'
  | 'NOT_FOUND'
  /** The database is full, locked by another process, read-only, or short of memory or descriptors; a retry may succeed. */
  | 'TRANSIENT'
  /** A filter or an order names a field that the list does not have. */
  | 'UNKNOWN_FIELD'
  /** Another request changed the resource since the caller read it. */
  | 'VERSION_CONFLICT'

/** `details`: facts that clients see too, so nothing internal belongs there. */
type StoreErrorOptions = ErrorOptions & { readonly details?: { readonly [name: string]: unknown } }

/** An expected error of a store. Any other error that a store throws is a bug or a broken disk. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  readonly details: StoreErrorOptions['details'] | undefined

  constructor(code: StoreErrorCode, message: string, { details, ...options }: StoreErrorOptions = {}) {
    super(message, options)
    this.name = 'StoreError'
    this.code = code
    this.details = details
  }
}

/** Whether a store may accept the same call later. */
export function isTransientStateError(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'TRANSIENT'
}
