import { foldCase } from '../event/fold-case.ts'
import type { RegexTest } from '../predicate/predicate.ts'
import { parseExpression } from '../predicate/regex/parse-expression.ts'
import { findRequiredLiterals } from '../predicate/regex/required-literals.ts'

/** So many characters in a row, each of which is beyond ASCII or, case folded, one of some. */
export type RequiredRun = { readonly characters: string; readonly least: number }

/** The longest run that every text has in which a regular expression is found; undefined where none is long. */
export function findRequiredRun(test: RegexTest): RequiredRun | undefined {
  const expression = parseExpression(test.source, test)
  const run = expression && findRequiredLiterals(expression).run
  if (run === undefined) return undefined
  const characters = Array.from(run.members, (isMember, code) => (isMember === 1 ? foldCase(String.fromCharCode(code)) : ''))
  return { characters: [...new Set(characters)].join(''), least: run.length }
}
