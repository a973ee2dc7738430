import type { ErrorCode } from '@tripline/contract/errors'

/** An answer of a server; ids, times and secrets are replaced by fixed ones. */
export type AnswerExample = {
  readonly path: string
  readonly status: number
  /** Its type; default: JSON. */
  readonly type?: string
  /** Absent where there is none, where it is a page or a file, or where it would repeat this document. */
  readonly response?: unknown
}

/** A request that was sent to a server, its answer, and answers of other statuses and types. */
export type OperationExample = AnswerExample & { readonly body?: unknown; readonly others?: readonly AnswerExample[] }

/** One executed request of each operation, by operation id, and of each error, by code. */
export type ApiExamples = {
  readonly operations: { readonly [operationId: string]: OperationExample }
  readonly errors: { readonly [Code in ErrorCode]?: { readonly request: string; readonly response: unknown } }
}

/** For documents that need none. */
export const noExamples: ApiExamples = { operations: {}, errors: {} }
