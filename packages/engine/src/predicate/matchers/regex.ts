import { RE2JS, RE2JSException } from 're2js'
import { limits } from '../../limits.ts'
import type { RegexTest } from '../predicate.ts'
import { compileSearch } from '../regex/compile-search.ts'
import { estimateProgramSize } from './estimate-program-size.ts'
import { computeShortestMatch } from './regex-length.ts'
import { hasRun, parseCountedDot } from './run-length.ts'

/** Why a regular expression is rejected: `syntax` is a mistake of the author, `unsupported` a limit of ours. */
type RegexProblem = { readonly kind: 'syntax' | 'unsupported'; readonly message: string }

/** RE2's messages for constructs of other dialects and for its limits; all other messages are syntax errors. */
const unsupportedReasons = [
  'unsupported Perl syntax', 'invalid named capture: `(?<=', 'invalid named capture: `(?<!', 'invalid escape sequence',
  'invalid nested repetition', 'invalid repeat count', 'expression too large', 'nests too deeply',
]

const prefix = 'error parsing regexp: '

/** Returns why `compileRegex` would reject a test; undefined if it accepts it. */
export function checkRegex(test: RegexTest): RegexProblem | undefined {
  if (test.source.length > limits.regexLengthMax) {
    const message = `the regular expression has ${test.source.length} characters; at most ${limits.regexLengthMax} are read`
    return { kind: 'unsupported', message }
  }
  const estimate = estimateProgramSize(test.source)
  if (estimate > limits.regexEstimateMax) return createSizeProblem(`about ${estimate}`)
  try {
    const size = compileRe2(test).programSize()
    return size <= limits.regexProgramMax ? undefined : createSizeProblem(String(size))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const reason = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message
    return unsupportedReasons.some((known) => reason.includes(known))
      ? { kind: 'unsupported', message: `the regular expression cannot run in linear time or is not of the RE2 dialect: ${reason}` }
      : { kind: 'syntax', message: `the regular expression cannot be read: ${reason}` }
  }
}

function createSizeProblem(size: string): RegexProblem {
  const message = `the regular expression compiles to ${size} steps; at most ${limits.regexProgramMax} are run`
  return { kind: 'unsupported', message }
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

type Search = (text: string) => boolean

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
  let compiled: RE2JS | undefined
  const searchAny: Search = (text) => (compiled ??= compileRe2(test)).test(text)
  const search = compileSearch(toRe2Source(test), test)
  return search === undefined ? searchAny : (text) => search(text) ?? searchAny(text)
}

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
