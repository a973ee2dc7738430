import { RE2JS, RE2JSException } from 're2js'
import { limits } from '../../limits.ts'
import type { RegexTest } from '../predicate.ts'
import { estimateProgramSize } from './estimate-program-size.ts'
import { provideRe2, toRe2Source } from './regex.ts'

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

/** Compiles a test's regular expression with RE2; throws if RE2 rejects it. */
export function compileRe2(test: RegexTest): RE2JS {
  const { ignoresCase, isMultiline, dotMatchesNewline } = test
  const flags =
    (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0) | (isMultiline ? RE2JS.MULTILINE : 0) | (dotMatchesNewline ? RE2JS.DOTALL : 0)
  return RE2JS.compile(toRe2Source(test), flags)
}

// Programs that import this module run all regular expressions; see `sideEffects` in package.json.
provideRe2((test) => {
  const compiled = compileRe2(test)
  return (text) => compiled.test(text)
})
