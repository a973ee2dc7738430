import { limits } from '../limits.ts'

/** Characters of the JSON of an object that rules can search; the rest is cut off. */
const jsonTextLengthMax = 1_048_576

/**
 * Prints an object as compact JSON, as most stores keep it and as rules search it (`requestParameters|contains`).
 * Prints values nested deeper than `limits.jsonTextDepthMax` as null, so a cyclic object ends too.
 */
export function printJson(value: object): string {
  const pieces: string[] = []
  let length = 0
  const print = (part: unknown, depth: number): void => {
    if (length > jsonTextLengthMax) return
    if (typeof part !== 'object' || part === null) write(JSON.stringify(typeof part === 'bigint' ? String(part) : part) ?? 'null')
    else if (depth > limits.jsonTextDepthMax) write('null')
    else if (Array.isArray(part)) {
      write('[')
      for (const [i, element] of part.entries()) {
        if (i > 0) write(',')
        print(element, depth + 1)
      }
      write(']')
    } else {
      write('{')
      let isFirst = true
      for (const [key, member] of Object.entries(part)) {
        if (member === undefined) continue
        write(`${isFirst ? '' : ','}${JSON.stringify(key)}:`)
        isFirst = false
        print(member, depth + 1)
      }
      write('}')
    }
  }
  const write = (text: string): void => {
    pieces.push(text)
    length += text.length
  }
  print(value, 1)
  return pieces.join('').slice(0, jsonTextLengthMax)
}
