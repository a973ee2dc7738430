import type { RegexTest } from '../predicate.ts'
import { compileSearch } from '../regex/compile-search.ts'
import { computeShortestMatch } from './regex-length.ts'
import { hasRun, parseCountedDot } from './run-length.ts'

type Search = (text: string) => boolean

let compileWithRe2: ((test: RegexTest) => Search) | undefined

/**
 * Provides RE2, which decides what the lazy DFA does not. The module `re2.ts` calls it: programs whose rules have no
 * regular expression do without the 100 KB of it.
 */
export function provideRe2(compile: (test: RegexTest) => Search): void {
  compileWithRe2 = compile
}

/** Whether running a test needs RE2 for some texts. */
export function needsRe2({ source }: RegexTest): boolean {
  return parseCountedDot(source) === undefined
}

/**
 * Compiles an unanchored search for a regular expression, in time linear in the text: rules and events are untrusted, and
 * V8's engine backtracks. Only for tests that `checkRegex` accepts.
 */
export function compileRegex(test: RegexTest): (text: string) => boolean {
  const run = parseCountedDot(test.source)
  if (run !== undefined) return (text) => hasRun(text, run, test.dotMatchesNewline)
  const lengthMin = computeShortestMatch(test.source)
  let search: Search | undefined
  return (text) => text.length >= lengthMin && (search ??= getSearch(test))(text)
}

/** Compiled searches, built on first use: most are never needed, because a cheaper condition fails first. */
const searches = new WeakMap<RegexTest, Search>()

function getSearch(test: RegexTest): Search {
  const known = searches.get(test)
  if (known !== undefined) return known
  const search = createSearch(test)
  searches.set(test, search)
  return search
}

/** Uses the lazy DFA if it supports the expression, and RE2 if it does not or has no answer for a text. */
function createSearch(test: RegexTest): Search {
  let compiled: Search | undefined
  const searchAny: Search = (text) => (compiled ??= compileAny(test))(text)
  const search = compileSearch(toRe2Source(test), test)
  return search === undefined ? searchAny : (text) => search(text) ?? searchAny(text)
}

function compileAny(test: RegexTest): Search {
  if (compileWithRe2 === undefined) throw new Error('a regular expression needs RE2, which this program lacks; load rules with loadRuleSet')
  return compileWithRe2(test)
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
