import { characterRange, addOtherCase, namedClasses, complement } from './character-set.ts'
import type { CharacterSet } from './character-set.ts'

/** An escape, or one character. */
const classMember = /\\x[\dA-Fa-f]{2}|\\[^]|[^]/gu

/** RE2's escapes of control characters. */
const controls: ReadonlyMap<string, number> = new Map([
  [String.raw`\a`, 0x07], [String.raw`\t`, 0x09], [String.raw`\n`, 0x0a],
  [String.raw`\v`, 0x0b], [String.raw`\f`, 0x0c], [String.raw`\r`, 0x0d],
])

/**
 * Parses a bracket class, an escape or one character to a set of ASCII characters. Undefined for anything else, for
 * uncommon forms, and for letters whose other case may be beyond ASCII.
 */
export function parseCharacters(token: string, ignoresCase: boolean): CharacterSet | undefined {
  const isClass = token.length > 1 && token.startsWith('[')
  // POSIX classes have brackets inside the brackets.
  if (isClass && token.includes('[:')) return undefined
  const isNegated = isClass && token.startsWith('[^')
  const content = isClass ? token.slice(isNegated ? 2 : 1, -1) : token
  const members = Array.from(content.matchAll(classMember), ([text]) => text)
  let characters = 0n
  for (let i = 0; i < members.length; i++) {
    const isRange = members[i + 1] === '-' && i + 2 < members.length && !namedClasses.has(members[i] ?? '')
    const part = isRange ? parseRange(members[i], members[i + 2], ignoresCase) : parseMember(members[i], ignoresCase)
    if (part === undefined) return undefined
    characters |= part
    if (isRange) i += 2
  }
  return isNegated ? complement(characters) : characters
}

function parseMember(text = '', ignoresCase: boolean): CharacterSet | undefined {
  return namedClasses.get(text) ?? parseRange(text, text, ignoresCase)
}

function parseRange(from = '', to = '', ignoresCase: boolean): CharacterSet | undefined {
  const first = parseCode(from)
  const last = parseCode(to)
  if (first === undefined || last === undefined || first > last) return undefined
  if (!ignoresCase) return characterRange(first, last)
  return last > 127 ? undefined : addOtherCase(characterRange(first, last))
}

/** The code of the one character that a text stands for. */
function parseCode(text: string): number | undefined {
  if (!text.startsWith('\\')) return text.codePointAt(0)
  if (text.length === 4) return Number.parseInt(text.slice(2), 16)
  return /^\\[!-/:-@[-`{-~ ]$/.test(text) ? text.charCodeAt(1) : controls.get(text)
}
