import type { Needle } from '../candidates/requirement.ts'

/** Bytes of a literal that a line filter takes: the shortest, and as much as it compares of a longer one. */
const lengthMin = 3
const lengthMax = 16

/** What stands in a line of JSON as it stands in the value: no quotes, no backslashes, nothing but ASCII. */
const plainRun = /[ !#-[\]-~]+/g

/** Digits may be written in other ways where they are a number. */
const numberText = /^[-+.\de]*$/

/**
 * For each needle a literal that stands in the line of every event with the needle in one of its leaves,
 * unless the line writes an ASCII character by an escape, or as one that folds to it (the kernel tells those
 * apart); undefined where a needle has none.
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
