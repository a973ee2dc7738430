import type { Needle } from '../candidates/requirement.ts'

/** Bytes of the shortest literal of a line filter, and of the longest: longer ones are cut. */
const lengthMin = 3
const lengthMax = 16

/** Characters that JSON writes unescaped: ASCII without quotes and backslashes. */
const plainRun = /[ !#-[\]-~]+/g

/** Texts that may be a number, which JSON can write in other ways. */
const numberText = /^[-+.\de]*$/

/**
 * Extracts a literal from each needle that is in the raw line of every event with the needle in one of its leaves, unless
 * the line writes an ASCII character as an escape, or as one that folds to it (the kernel detects both). Undefined if a
 * needle has no such literal.
 */
export function extractLineLiterals(needles: readonly Needle[]): readonly Uint8Array[] | undefined {
  const literals = new Map<string, Uint8Array>()
  for (const needle of needles) {
    const run = needle.kind === 'text' ? findLongestRun(needle.text) : ''
    if (run.length < lengthMin || numberText.test(run)) return undefined
    const literal = run.slice(0, lengthMax)
    literals.set(literal, Uint8Array.from(literal, (character) => character.charCodeAt(0)))
  }
  return [...literals.values()]
}

function findLongestRun(text: string): string {
  const runs = text.match(plainRun) ?? []
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '')
}
