import { codeOfOnly } from './characters.ts'
import type { Expression } from './parse-expression.ts'

/** A text without which an expression is not found. */
export type RequiredText = {
  readonly text: string
  /** Whether it is what an expression begins with, so that nothing before its first place matters. */
  readonly isPrefix: boolean
}

/** The longest text that has to stand wherever an expression is found; empty where none is certain. */
export function requiredText(expression: Expression): RequiredText {
  const runs: RequiredText[] = [{ text: '', isPrefix: true }]
  collectRuns(expression, runs)
  return runs.reduce((best, run) => (run.text.length > best.text.length ? run : best))
}

/** Goes on with the last run, and begins others where anything else than one character may stand. */
function collectRuns(expression: Expression, runs: RequiredText[]): void {
  const code = expression.kind === 'characters' ? codeOfOnly(expression.of) : undefined
  const last = runs.at(-1)
  if (code !== undefined && last !== undefined) {
    runs[runs.length - 1] = { ...last, text: last.text + String.fromCharCode(code) }
  } else if (expression.kind === 'sequence') {
    for (const part of expression.of) collectRuns(part, runs)
  } else if (expression.kind === 'choice' && expression.of.length === 1) {
    for (const part of expression.of) collectRuns(part, runs)
  } else {
    runs.push({ text: '', isPrefix: false })
    if (expression.kind === 'repetition' && expression.min > 0) {
      collectRuns(expression.of, runs)
      runs.push({ text: '', isPrefix: false })
    }
  }
}
