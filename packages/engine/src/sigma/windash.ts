import type { DraftPart, TextDraft } from './draft-value.ts'
import { replaceParts } from './draft-value.ts'

/** The characters that a command line may put before an option: `-`, `/`, en dash, em dash, horizontal bar. */
export const dashes = '-/\u2013\u2014\u2015'

const wordCharacter = /[\p{L}\p{N}_]/u

/**
 * Lets every dash at the beginning of a word stand for any of `dashes` (sigma.md 6.5, D-20): a dash whose
 * left neighbour is no word character and whose right neighbour is one. A class of characters at each
 * place stands for the 5^k spellings, which are never written out.
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
