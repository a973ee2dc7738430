import type { ErrorCode } from '@tripline/contract/errors'

/** A request that was sent to a server, and its answer; ids, times and secrets are replaced by fixed ones. */
export type OperationExample = {
  readonly path: string
  readonly body?: unknown
  readonly status: number
  /** Absent where there is none, or where it would repeat this document. */
  readonly response?: unknown
}

/** One executed request of each operation, by operation id, and of each error, by code. */
export type ApiExamples = {
  readonly operations: { readonly [operationId: string]: OperationExample }
  readonly errors: { readonly [Code in ErrorCode]?: { readonly request: string; readonly response: unknown } }
}

/** For documents that need none. */
export const noExamples: ApiExamples = { operations: {}, errors: {} }
