/** The two characters whose lower case depends on what stands around them or is longer than they are. */
const unstable = /[\u0130\u03a3]/
const capitalSigma = '\u03a3'

/** Found in texts that are not ASCII, whose case takes more than a bit to fold. */
export const notAscii = /[^\x00-\x7f]/

/**
 * Folds case so that two texts are equal without regard to case when their folds are equal (D-7).
 * Folds character by character with Unicode's simple lower case and never changes the number of UTF-16
 * units, so that a fold can be searched for a fold: `İ` stays as it is, `Σ` is always `σ`, also where
 * a word ends.
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
