import { mayHaveRun } from './character-run.ts'
import { LazyDfa } from './lazy-dfa.ts'
import { compileNfa } from './nfa.ts'
import { parseExpression } from './parse-expression.ts'
import type { RegexFlags } from './parse-expression.ts'
import { findRequiredLiterals } from './required-literals.ts'

/**
 * Compiles a search for a regular expression of the common forms, with RE2's semantics, to literal prefilters and a lazy
 * DFA: linear in the text, in bounded memory. The search returns undefined for some texts, mostly those that are not
 * ASCII. Undefined for other forms and for expressions that are too large.
 */
export function compileSearch(source: string, flags: RegexFlags): ((text: string) => boolean | undefined) | undefined {
  const expression = parseExpression(source, flags)
  const automaton = expression && compileNfa(expression)
  if (expression === undefined || automaton === undefined) return undefined
  const { prefix, others, run } = findRequiredLiterals(expression)
  const search = new LazyDfa(automaton, prefix)
  return (text) => {
    const from = prefix === '' ? 0 : text.indexOf(prefix)
    if (from === -1 || others.some((other) => !text.includes(other, from))) return false
    return run !== undefined && !mayHaveRun(text, run, from) ? false : search.find(text, from)
  }
}
