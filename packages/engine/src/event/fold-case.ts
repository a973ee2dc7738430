/** The two characters whose lower case depends on their context or is longer than they are. */
const unstable = /[\u0130\u03a3]/
const capitalSigma = '\u03a3'

/** Matches texts that are not ASCII, for which case folding is more than a bit operation. */
export const notAscii = /[^\x00-\x7f]/

/**
 * Folds case with the simple lower-case mapping of Unicode, character by character, so that two texts are equal
 * without regard to case when their folds are equal. Never changes the number of UTF-16 units, so folded texts can
 * be searched in folded texts: `İ` stays as it is, `Σ` always becomes `σ`, also at the end of a word.
 */
export function foldCase(text: string): string {
  if (!unstable.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) folded += foldCharacter(character)
  return folded
}

function foldCharacter(character: string): string {
  if (character === capitalSigma) return '\u03c3'
  const lower = character.toLowerCase()
  return lower.length === character.length ? lower : character
}
