/** A set of ASCII characters: bit n stands for the character with the code n. */
export type CharacterSet = bigint

export const allCharacters: CharacterSet = (1n << 128n) - 1n

/** The characters with the codes from one to another, both included; what is beyond ASCII is left out. */
export function characterRange(first: number, last: number): CharacterSet {
  const end = Math.min(last, 127) + 1
  return first >= end ? 0n : (1n << BigInt(end)) - (1n << BigInt(first))
}

/** The characters with one of some codes. */
function toCharacterSet(text: string): CharacterSet {
  return Array.from(text, (one) => one.charCodeAt(0)).reduce((set, code) => set | characterRange(code, code), 0n)
}

const digits = characterRange(0x30, 0x39)
const upperLetters = characterRange(0x41, 0x5a)
const lowerLetters = characterRange(0x61, 0x7a)
const spaces = toCharacterSet('\t\n\f\r ')

export const newline: CharacterSet = toCharacterSet('\n')
export const wordCharacters: CharacterSet = digits | upperLetters | lowerLetters | toCharacterSet('_')

/** Classes that an escape stands for, as RE2 understands them: `\s` has no vertical tab. */
export const namedClasses: ReadonlyMap<string, CharacterSet> = new Map([
  [String.raw`\d`, digits],
  [String.raw`\D`, complement(digits)],
  [String.raw`\s`, spaces],
  [String.raw`\S`, complement(spaces)],
  [String.raw`\w`, wordCharacters],
  [String.raw`\W`, complement(wordCharacters)],
])

export function complement(characters: CharacterSet): CharacterSet {
  return allCharacters & ~characters
}

/** Some characters, and the letters among them in the other case too. */
export function addOtherCase(characters: CharacterSet): CharacterSet {
  return characters | ((characters & upperLetters) << 32n) | ((characters & lowerLetters) >> 32n)
}

/** For each code of ASCII, 1 where it is that of one of some characters. */
export function toMemberTable(characters: CharacterSet): Uint8Array {
  const bits = characters.toString(2)
  const members = new Uint8Array(128)
  for (let code = 0; code < bits.length; code++) members[code] = bits[bits.length - 1 - code] === '1' ? 1 : 0
  return members
}

/** The code of the character that is all of some; undefined where they are none or several. */
export function getSingleCode(characters: CharacterSet): number | undefined {
  const isOne = characters !== 0n && (characters & (characters - 1n)) === 0n
  return isOne ? characters.toString(2).length - 1 : undefined
}
