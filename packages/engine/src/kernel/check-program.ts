/** How the value of a field becomes a class; the third word of a field's four and more. */
export const fieldKinds = {
  /** By its bytes, in the field's domain. */
  value: 0,
  /** 1 a string that is not empty, 2 an empty one, 3 anything else. */
  presence: 1,
  /** By the bytes of the whole line, where the domain's line filter lets it pass. */
  line: 2,
} as const

export type ProgramBounds = { readonly slotCount: number; readonly domainCount: number }

/**
 * Checks a program's words, which the module trusts, and answers how many sections it has. Throws for a
 * number out of bounds and for a section or field that is cut off.
 */
export function checkProgram(words: Int32Array, { slotCount, domainCount }: ProgramBounds): number {
  let sectionCount = 0
  let at = 0
  const next = (what: string, bound: number): number => {
    const word = words[at]
    if (word === undefined) throw new RangeError(`the program ends where word ${at} should be ${what}`)
    if (word < 0 || word >= bound) {
      throw new RangeError(`word ${at} of the program is ${word}, ${what} is below ${bound}`)
    }
    at += 1
    return word
  }
  while (at < words.length) {
    at += 1
    for (let rest = next('a count of fields', words.length); rest > 0; rest--) {
      next('a domain', domainCount)
      next('a kind', Object.keys(fieldKinds).length)
      for (let slots = next('a count of slots', words.length); slots > 0; slots--) next('a slot', slotCount)
    }
    sectionCount += 1
  }
  return sectionCount
}
