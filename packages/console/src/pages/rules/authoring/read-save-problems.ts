import { ApiError } from '../../../api/api-error.ts'
import type { Problem } from '../../../workbench/problem-list.tsx'

/** What the server refused, as places in the text; tests that fail can be saved over. */
export type SaveProblems = {
  readonly problems: readonly Problem[]
  readonly message: string
  readonly isForcible: boolean
  readonly isStale: boolean
}

/** Reads why a text was not saved. */
export function readSaveProblems(error: unknown): SaveProblems {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof ApiError)) return { problems: [], message, isForcible: false, isStale: false }
  const { code, details } = error
  const entries = [details['errors'], details['failures']].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  return { problems: entries.flatMap(toProblem), message, isForcible: code === 'RULE_TEST_FAILED', isStale: error.status === 412 }
}

function toProblem(entry: unknown): readonly Problem[] {
  if (typeof entry !== 'object' || entry === null) return []
  const { line, column, message, failure, test, hint } = entry as { readonly [name: string]: unknown }
  const text = typeof failure === 'string' ? `${String(test)}: ${failure}` : message
  if (typeof text !== 'string') return []
  const place = { line: typeof line === 'number' ? line : 1, column: typeof column === 'number' ? column : 1 }
  return [{ level: 'error', message: text, ...place, hint: typeof hint === 'string' ? hint : undefined }]
}
