import type { Diagnostic } from './diagnostics.ts'

/** A diagnostic, or any other problem with a position and a code. */
type PrintableDiagnostic = Omit<Diagnostic, 'kind' | 'code'> & { readonly kind: string; readonly code: string }

/** Characters of the source line to print around a problem, since rules may have very long lines. */
const lineWidthMax = 120

/**
 * Formats the problems of a rule for a terminal: position, code, message, the source line with a caret under the
 * column, and the hint. `text` is the source of the rule; the result has no trailing newline.
 */
export function formatDiagnostics(
  text: string, report: { readonly path: string; readonly diagnostics: readonly PrintableDiagnostic[] },
): string {
  const lines = text.split('\n')
  return report.diagnostics.map((diagnostic) => formatOne(lines, report.path, diagnostic)).join('\n\n')
}

function formatOne(lines: readonly string[], path: string, diagnostic: PrintableDiagnostic): string {
  const { kind, code, message, line, column, hint } = diagnostic
  const printed = [`${path}:${line}:${column}: ${kind} ${code}: ${message}`]
  const source = lines[line - 1]
  if (source !== undefined) {
    const start = Math.max(0, column - 1 - Math.floor(lineWidthMax / 2))
    const shown = source.slice(start, start + lineWidthMax).replaceAll(/[^\x20-\u{10ffff}]/gu, ' ')
    const gutter = `${line} | `
    printed.push(`${gutter}${shown}`, `${' '.repeat(gutter.length + column - 1 - start)}^`)
  }
  if (hint !== undefined) printed.push(`  hint: ${hint}`)
  return printed.join('\n')
}
