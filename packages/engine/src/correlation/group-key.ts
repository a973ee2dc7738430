import { foldCase } from '../event/fold-case.ts'
import { hashToUuid } from '../hash.ts'
import { limits } from '../limits.ts'

/**
 * Joins the values that events are grouped by to one key; different values never give the same one. A value
 * that is too long to keep is replaced by its beginning and a hash, which ignores case unless case matters.
 */
export function joinGroupKey(values: readonly string[], isCaseSensitive = false): string {
  if (values.length === 1) return shortenValue(values[0]!, isCaseSensitive)
  let key = ''
  for (const value of values) {
    const text = shortenValue(value, isCaseSensitive)
    key += `${text.length}:${text}`
  }
  return key
}

/** The values that a key was joined from; `count` is how many. */
export function splitGroupKey(key: string, count: number): string[] {
  if (count === 1) return [key]
  const values: string[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    const colon = key.indexOf(':', at)
    const end = colon + 1 + Number(key.slice(at, colon))
    values.push(key.slice(colon + 1, end))
    at = end
  }
  return values
}

function shortenValue(value: string, isCaseSensitive: boolean): string {
  if (value.length <= limits.groupValueLengthMax) return value
  return `${value.slice(0, limits.groupValueLengthMax - 37)}#${hashToUuid(isCaseSensitive ? value : foldCase(value))}`
}
