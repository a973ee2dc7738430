import { measureJson, skipBlanks } from '@tripline/common/json'
import type { JsonExtent } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'

/** The position and extent of an array element. */
type JsonElement = { readonly start: number; readonly end: number; readonly extent: JsonExtent }

const comma = 0x2c
const closeBracket = 0x5d

/**
 * Finds the elements of a JSON array that is a whole body, without parsing them.
 *
 * @throws AppError INVALID_BODY, with the position, if the end of an element cannot be found or data follows the array.
 */
export function* findJsonElements(bytes: Uint8Array, arrayStart: number): Generator<JsonElement> {
  let at = skipBlanks(bytes, arrayStart + 1, bytes.length)
  while (bytes[at] !== closeBracket) {
    const extent = measureJson(bytes, at, bytes.length)
    if (extent === undefined) throw invalidBody(`the array has an invalid element at byte ${at}`)
    yield { start: at, end: extent.end, extent }
    at = skipBlanks(bytes, extent.end, bytes.length)
    if (bytes[at] === closeBracket) break
    if (bytes[at] !== comma) throw invalidBody(`the array has no comma or closing bracket at byte ${at}`)
    at = skipBlanks(bytes, at + 1, bytes.length)
    if (bytes[at] === closeBracket) throw invalidBody(`the array has an invalid element at byte ${at}`)
  }
  const rest = skipBlanks(bytes, at + 1, bytes.length)
  if (rest !== bytes.length) throw invalidBody(`the body continues after its array, at byte ${rest}`)
}

/** The start of a text body, after a UTF-8 byte order mark and blanks. */
export function findBodyStart(bytes: Uint8Array): number {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return skipBlanks(bytes, hasMark ? 3 : 0, bytes.length)
}

function invalidBody(message: string): AppError {
  return new AppError('INVALID_BODY', message)
}
