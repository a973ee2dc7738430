/** How the value of a field becomes a class; the third word of a field's four and more. */
export const fieldKinds = {
  /** By its bytes, in the field's domain. */
  value: 0,
  /**
   * By two values, which the host compares: it is asked where both are there and may say the same text. Instead
   * of slots: the count of those of the first field, those, and those of the second.
   */
  pair: 1,
  /** By the bytes of the whole line, where the domain's line filter lets it pass. */
  line: 2,
  /** By its bytes, but every string that is not empty counts as `"?"`: one class for values that never come again. */
  text: 3,
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
    for (let rest = next('a count of fields', Math.min(words.length, domainCount + 1)); rest > 0; rest--) {
      next('a domain', domainCount)
      const isPair = next('a kind', Object.keys(fieldKinds).length) === fieldKinds.pair
      let slots = next('a count of slots', words.length)
      if (isPair) {
        next('a count of slots of a first field', slots)
        slots -= 1
      }
      for (; slots > 0; slots--) next('a slot', slotCount)
    }
    sectionCount += 1
  }
  return sectionCount
}
