import { checkRegex } from '@tripline/engine/predicate'
import { RE2JS } from 're2js'

/** Returns why a pattern of a pipeline is refused, after its name; undefined if it is not. */
export function findPatternProblem(source: string): string | undefined {
  const flags = { ignoresCase: false, isMultiline: false, dotMatchesNewline: false }
  const problem = checkRegex({ kind: 'regex', source, ...flags })
  return problem && `is no regular expression that runs: ${problem.message}`
}

/** The patterns of steps and conditions by what states them: each item of each rule asks for them again. */
const compiled = new WeakMap<object, readonly RE2JS[]>()

/** Compiles the patterns that a part of a pipeline states, once. */
export function compilePatterns(owner: object, sources: readonly string[]): readonly RE2JS[] {
  const known = compiled.get(owner)
  if (known !== undefined) return known
  const patterns = sources.map((source) => RE2JS.compile(source))
  compiled.set(owner, patterns)
  return patterns
}
