import type { RegexTest } from '../predicate/predicate.ts'

/** Shorter literals stand in too many texts to tell anything. */
const literalLengthMin = 3

/** A token of a regular expression: an escape, a class, a counted repetition, or one character. */
const token = /\\[^]|\[\^?\]?(?:\\[^]|\[:\w+:\]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/gu

/** ASCII characters that a case-insensitive search also finds in others: the Kelvin sign is a `k`, `ſ` an `s`. */
const foldsBeyondAscii = /[ks]/i

/**
 * Finds the longest literal that every text has in which a regular expression is found; undefined where none
 * is certain. May only weaken: groups, classes, wildcards, whatever may be absent and, where case does not
 * count, characters that are not plain ASCII end a literal; an expression with alternatives has none.
 */
export function literalOfRegex({ source, ignoresCase }: RegexTest): string | undefined {
  const foldsCase = ignoresCase || /\(\?[a-zA-Z]*i/.test(source)
  // What these mean depends on more than the token itself.
  if (/\\Q|\\x|\\p|\\P|\\[0-7]/.test(source)) return undefined
  let best = ''
  let run = ''
  let depth = 0
  const end = () => {
    if (run.length > best.length) best = run
    run = ''
  }
  for (const [text] of source.matchAll(token)) {
    if (text === '|') {
      if (depth === 0) return undefined
    } else if (text === '(') {
      end()
      depth++
    } else if (text === ')') depth--
    else if (depth > 0) continue
    else if (text === '?' || text === '*' || /^\{0*[,}]/.test(text)) {
      // The character before it may be absent.
      run = Array.from(run).slice(0, -1).join('')
      end()
    } else if (text === '+' || /^\{\d/.test(text)) end()
    else {
      const character = literalCharacter(text)
      if (character === undefined || (foldsCase && !isPlain(character))) end()
      else run += character
    }
  }
  end()
  return best.length >= literalLengthMin ? best : undefined
}

/** The character that a token stands for; undefined where it stands for several, or for a place. */
function literalCharacter(text: string): string | undefined {
  if (text.length > 1 && text.startsWith('\\')) {
    const escaped = text.slice(1)
    return /\w/.test(escaped) ? undefined : escaped
  }
  return text.startsWith('[') || /^[.^$]$/.test(text) ? undefined : text
}

function isPlain(character: string): boolean {
  return /^[\x20-\x7e]$/.test(character) && !foldsBeyondAscii.test(character)
}
