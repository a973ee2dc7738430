/** A set of ASCII characters: bit n stands for the character with the code n. */
export type Characters = bigint

export const allCharacters: Characters = (1n << 128n) - 1n

/** The characters with the codes from one to another, both included; what is beyond ASCII is left out. */
export function characterRange(first: number, last: number): Characters {
  const end = Math.min(last, 127) + 1
  return first >= end ? 0n : (1n << BigInt(end)) - (1n << BigInt(first))
}

/** The characters with one of some codes. */
function charactersOf(text: string): Characters {
  return Array.from(text, (one) => one.charCodeAt(0)).reduce((set, code) => set | characterRange(code, code), 0n)
}

const digits = characterRange(0x30, 0x39)
const upperLetters = characterRange(0x41, 0x5a)
const lowerLetters = characterRange(0x61, 0x7a)
const spaces = charactersOf('\t\n\f\r ')

export const newline: Characters = charactersOf('\n')
export const wordCharacters: Characters = digits | upperLetters | lowerLetters | charactersOf('_')

/** Classes that an escape stands for, as RE2 understands them: `\s` has no vertical tab. */
export const namedClasses: ReadonlyMap<string, Characters> = new Map([
  [String.raw`\d`, digits],
  [String.raw`\D`, otherThan(digits)],
  [String.raw`\s`, spaces],
  [String.raw`\S`, otherThan(spaces)],
  [String.raw`\w`, wordCharacters],
  [String.raw`\W`, otherThan(wordCharacters)],
])

export function otherThan(characters: Characters): Characters {
  return allCharacters & ~characters
}

/** Some characters, and the letters among them in the other case too. */
export function inBothCases(characters: Characters): Characters {
  return characters | ((characters & upperLetters) << 32n) | ((characters & lowerLetters) >> 32n)
}

/** For each code of ASCII, 1 where it is that of one of some characters. */
export function membersOf(characters: Characters): Uint8Array {
  const bits = characters.toString(2)
  const members = new Uint8Array(128)
  for (let code = 0; code < bits.length; code++) members[code] = bits[bits.length - 1 - code] === '1' ? 1 : 0
  return members
}

/** The code of the character that is all of some; undefined where they are none or several. */
export function codeOfOnly(characters: Characters): number | undefined {
  const isOne = characters !== 0n && (characters & (characters - 1n)) === 0n
  return isOne ? characters.toString(2).length - 1 : undefined
}
