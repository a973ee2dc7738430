import type { QueryError } from './query-error.ts'

/** Maximum characters of the query that are printed around an error. */
const lineWidthMax = 120

/**
 * Prints an error for a terminal: line and column, code and message, then the line of the query with carets
 * under the place. `text` is the query; the answer has no trailing newline.
 */
export function formatQueryError(text: string, error: QueryError): string {
  const { code, message, line, column, length } = error
  const source = text.split('\n')[line - 1] ?? ''
  const start = Math.max(0, column - 1 - Math.floor(lineWidthMax / 2))
  const shown = printable(source.slice(start, start + lineWidthMax))
  const gutter = `${line} | `
  const caretCount = Math.max(1, Math.min(length, shown.length - (column - 1 - start)))
  const carets = `${' '.repeat(gutter.length + column - 1 - start)}${'^'.repeat(caretCount)}`
  return `${line}:${column}: ${code}: ${printable(message)}\n${gutter}${shown}\n${carets}`
}

/** Replaces control characters, which terminals interpret. */
function printable(text: string): string {
  return text.replaceAll(/[\0-\x1f\x7f-\x9f]/g, ' ')
}
