import { RE2JS } from 're2js'
import type { RegexTest } from '../predicate.ts'

/** A test's regular expression as RE2 runs it. Throws where RE2 refuses it. */
export function compileRe2(test: RegexTest): RE2JS {
  const { ignoresCase, isMultiline, dotMatchesNewline } = test
  const flags =
    (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0) | (isMultiline ? RE2JS.MULTILINE : 0) | (dotMatchesNewline ? RE2JS.DOTALL : 0)
  return RE2JS.compile(toRe2Source(test), flags)
}

/** The source of a test with RE2's meaning: the end of the text is one where nothing is to come (D-23). */
export function toRe2Source({ source, isMultiline }: RegexTest): string {
  return isMultiline ? source : expandDollar(source)
}

/**
 * Lets `$` hold before a newline at the very end too, as PCRE does (D-23): `$` becomes `(?:\n?\z)`, which is
 * the same where only the fact of a match counts. Leaves patterns alone that switch dialect inside.
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
