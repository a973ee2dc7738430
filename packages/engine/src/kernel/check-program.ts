/** How the kernel classifies a field; the second word of a field. */
export const fieldKinds = {
  /** By its bytes, in the field's domain. */
  value: 0,
  /**
   * By two values, which the host compares if both are present and may be the same text. In place of its slots: the count
   * of the first field's slots, these slots, and those of the second field.
   */
  pair: 1,
  /** By the bytes of the whole line, if it passes the domain's line filter. */
  line: 2,
  /** By its bytes, but every string that is not empty counts as `"?"`: one class for values that never come again. */
  text: 3,
} as const

type ProgramBounds = { readonly slotCount: number; readonly domainCount: number }

/**
 * Validates a program's words, which the module trusts, and returns its number of sections. Throws a RangeError for a
 * number out of bounds and for a truncated section or field.
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
