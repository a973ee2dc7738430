import { RE2JS } from 're2js'
import type { RegexTest } from '../predicate.ts'

/** Compiles a test's regular expression with RE2; throws if RE2 rejects it. */
export function compileRe2(test: RegexTest): RE2JS {
  const { ignoresCase, isMultiline, dotMatchesNewline } = test
  const flags =
    (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0) | (isMultiline ? RE2JS.MULTILINE : 0) | (dotMatchesNewline ? RE2JS.DOTALL : 0)
  return RE2JS.compile(toRe2Source(test), flags)
}

/** Converts a test's source to RE2's dialect, in which `$` does not match before a final newline. */
export function toRe2Source({ source, isMultiline }: RegexTest): string {
  return isMultiline ? source : expandDollar(source)
}

/**
 * Makes `$` match before a final newline too, as PCRE does: `$` becomes `(?:\n?\z)`, which is equivalent if only the
 * existence of a match matters. Leaves expressions unchanged that set flags or quote text inside.
 */
function expandDollar(source: string): string {
  if (!source.includes('$') || /\\Q|\(\?[a-zA-Z]*m/.test(source)) return source
  let isInClass = false
  return source.replaceAll(/\\[^]|\[:\w+:\]|\[\^?\]?|[\]$]/g, (found) => {
    if (found.startsWith('[')) isInClass = true
    else if (found === ']') isInClass = false
    else if (found === '$' && !isInClass) return String.raw`(?:\n?\z)`
    return found
  })
}
