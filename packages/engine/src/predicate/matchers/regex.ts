import { RE2JSException } from 're2js'
import type { RE2JS } from 're2js'
import { limits } from '../../limits.ts'
import type { RegexTest } from '../predicate.ts'
import { compileSearch } from '../regex/compile-search.ts'
import { compileRe2, toRe2Source } from './re2.ts'
import { computeShortestMatch } from './regex-length.ts'
import { hasRun, parseCountedDot } from './run-length.ts'

/** Why a regular expression is refused: `syntax` is the author's mistake, `unsupported` our bound. */
export type RegexProblem = { readonly kind: 'syntax' | 'unsupported'; readonly message: string }

/** What RE2 calls the constructs that other dialects have, or that it bounds; everything else is a mistake. */
const unsupportedReasons = [
  'unsupported Perl syntax', 'invalid named capture: `(?<=', 'invalid named capture: `(?<!', 'invalid escape sequence',
  'invalid nested repetition', 'invalid repeat count', 'expression too large', 'nests too deeply',
]

const prefix = 'error parsing regexp: '

/** Says why `compileRegex` would refuse a test; undefined when it takes it. */
export function checkRegex(test: RegexTest): RegexProblem | undefined {
  if (test.source.length > limits.regexLengthMax) {
    const message = `the regular expression has ${test.source.length} characters; at most ${limits.regexLengthMax} are read`
    return { kind: 'unsupported', message }
  }
  try {
    const size = compileRe2(test).programSize()
    if (size <= limits.regexProgramMax) return undefined
    const message = `the regular expression compiles to ${size} steps; at most ${limits.regexProgramMax} are run`
    return { kind: 'unsupported', message }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const reason = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message
    return unsupportedReasons.some((known) => reason.includes(known))
      ? { kind: 'unsupported', message: `the regular expression cannot run in linear time or is not of the RE2 dialect: ${reason}` }
      : { kind: 'syntax', message: `the regular expression cannot be read: ${reason}` }
  }
}

/**
 * A search of texts for a regular expression (sigma.md 6.6): anywhere, in time linear in the text, because
 * rules and events come from strangers and V8's own engine backtracks (D-22). Only for what `checkRegex` takes.
 */
export function compileRegex(test: RegexTest): (text: string) => boolean {
  const run = parseCountedDot(test.source)
  if (run !== undefined) return (text) => hasRun(text, run, test.dotMatchesNewline)
  const lengthMin = computeShortestMatch(test.source)
  let search: Search | undefined
  return (text) => text.length >= lengthMin && (search ??= getSearch(test))(text)
}

type Search = (text: string) => boolean

/** What tests compile to, when they are first needed: most are never, because something cheaper fails first. */
const searches = new WeakMap<RegexTest, Search>()

function getSearch(test: RegexTest): Search {
  const known = searches.get(test)
  if (known !== undefined) return known
  const search = createSearch(test)
  searches.set(test, search)
  return search
}

/** Our own automaton where it knows the expression, and RE2 where it does not or has no answer. */
function createSearch(test: RegexTest): Search {
  let compiled: RE2JS | undefined
  const searchAny: Search = (text) => (compiled ??= compileRe2(test)).test(text)
  const search = compileSearch(toRe2Source(test), test)
  return search === undefined ? searchAny : (text) => search(text) ?? searchAny(text)
}
