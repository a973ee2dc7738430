import type { CharacterRun } from './character-run.ts'
import { getSingleCode, toMemberTable } from './character-set.ts'
import type { Expression } from './parse-expression.ts'

/** Texts that stand wherever an expression is found. */
export type RequiredLiterals = {
  /** What it begins with; empty where that may be one or another. */
  readonly prefix: string
  /** Some that stand behind, the longest first, which is rarely there in vain. */
  readonly others: readonly string[]
  /** The longest run of characters of one class, where one is long. */
  readonly run: CharacterRun | undefined
}

/** Texts looked for before an automaton runs. Each costs a fifth of what that does, and the longest ones say the most. */
const othersMax = 3

export function findRequiredLiterals(expression: Expression): RequiredLiterals {
  const runs = ['']
  collectRuns(expression, runs)
  const [prefix = '', ...others] = runs
  const known = new Set(others.filter((run) => run !== '' && !prefix.includes(run)))
  return { prefix, others: [...known].sort((a, b) => b.length - a.length).slice(0, othersMax), run: findLongestRun(expression) }
}

/** Shorter runs stand in many texts, and are not looked for faster than the automaton runs. */
const runLengthMin = 16

function findLongestRun(expression: Expression): CharacterRun | undefined {
  if (expression.kind === 'sequence' || (expression.kind === 'choice' && expression.of.length === 1)) {
    return expression.of.map(findLongestRun).reduce((longest, run) => (
      run !== undefined && run.length > (longest?.length ?? 0) ? run : longest
    ), undefined)
  }
  if (expression.kind !== 'repetition' || expression.min === 0) return undefined
  const { of, min } = expression
  if (of.kind !== 'characters') return findLongestRun(of)
  return min < runLengthMin ? undefined : { members: toMemberTable(of.of), length: min }
}

/** Goes on with the last run, and begins another where anything else than one character may stand. */
function collectRuns(expression: Expression, runs: string[]): void {
  const code = expression.kind === 'characters' ? getSingleCode(expression.of) : undefined
  if (code !== undefined) {
    runs[runs.length - 1] += String.fromCharCode(code)
  } else if (expression.kind === 'sequence' || (expression.kind === 'choice' && expression.of.length === 1)) {
    for (const part of expression.of) collectRuns(part, runs)
  } else {
    runs.push('')
    if (expression.kind === 'repetition' && expression.min > 0) {
      collectRuns(expression.of, runs)
      runs.push('')
    }
  }
}
