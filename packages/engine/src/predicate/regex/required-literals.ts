import type { CharacterRun } from './character-run.ts'
import { getSingleCode, toMemberTable } from './character-set.ts'
import type { Expression } from './parse-expression.ts'

/** Literals and runs that every match of an expression contains. */
type RequiredLiterals = {
  /** The literal that every match starts with; empty if there is none. */
  readonly prefix: string
  /** Literals after the prefix, longest and so most selective first. */
  readonly others: readonly string[]
  /** The longest run of characters of one class, if one is long. */
  readonly run: CharacterRun | undefined
}

/** Literals searched before the lazy DFA runs. Each costs a fifth of that, and the longest are the most selective. */
const othersMax = 3

export function findRequiredLiterals(expression: Expression): RequiredLiterals {
  const runs = ['']
  collectRuns(expression, runs)
  const [prefix = '', ...others] = runs
  const known = new Set(others.filter((run) => run !== '' && !prefix.includes(run)))
  return { prefix, others: [...known].sort((a, b) => b.length - a.length).slice(0, othersMax), run: findLongestRun(expression) }
}

/** Shorter runs are in many texts, and searching them is no faster than the lazy DFA. */
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

/** Collects maximal literals: extends the last one, and starts another where the expression is no single character. */
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
