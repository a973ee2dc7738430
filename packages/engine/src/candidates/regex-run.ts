import { foldCase } from '../event/fold-case.ts'
import type { RegexTest } from '../predicate/predicate.ts'
import { parseExpression } from '../predicate/regex/parse-expression.ts'
import { findRequiredLiterals } from '../predicate/regex/required-literals.ts'

/** At least `least` consecutive characters that are beyond ASCII or, case folded, among `characters`. */
type RequiredRun = { readonly characters: string; readonly least: number }

/** Finds the longest run that every match of a regular expression contains; undefined if none is long. */
export function findRequiredRun(test: RegexTest): RequiredRun | undefined {
  const expression = parseExpression(test.source, test)
  const run = expression && findRequiredLiterals(expression).run
  if (run === undefined) return undefined
  const characters = Array.from(run.members, (isMember, code) => (isMember === 1 ? foldCase(String.fromCharCode(code)) : ''))
  return { characters: [...new Set(characters)].join(''), least: run.length }
}
