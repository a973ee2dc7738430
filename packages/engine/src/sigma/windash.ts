import type { DraftPart, TextDraft } from './draft-value.ts'
import { replaceParts } from './draft-value.ts'

/** The characters that a command line may put before an option: `-`, `/`, en dash, em dash, horizontal bar. */
const dashes = '-/\u2013\u2014\u2015'

const wordCharacter = /[\p{L}\p{N}_]/u

/**
 * Replaces every dash at the start of a word by a character class of all `dashes`. A dash starts a word when a word
 * character follows it and none precedes it. The classes represent the 5^k spellings without expanding them.
 */
export function varyDashes(draft: TextDraft): TextDraft {
  return replaceParts(draft, draft.parts.flatMap((part) => (part.kind === 'text' ? varyPart(part.text) : [part])))
}

function varyPart(text: string): DraftPart[] {
  const parts: DraftPart[] = []
  const characters = Array.from(text)
  let run = ''
  for (const [i, character] of characters.entries()) {
    if (dashes.includes(character) && !isWord(characters[i - 1]) && isWord(characters[i + 1])) {
      if (run !== '') parts.push({ kind: 'text', text: run })
      run = ''
      parts.push({ kind: 'oneOf', characters: dashes })
    } else run += character
  }
  if (run !== '') parts.push({ kind: 'text', text: run })
  return parts
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && wordCharacter.test(character)
}
