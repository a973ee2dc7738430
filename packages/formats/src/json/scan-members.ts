import { measureJson, skipBlanks, tryParseJson } from '@tripline/common/json'
import type { JsonExtent } from '@tripline/common/json'

/** A member of a JSON object: its name, and where its value is. */
export type JsonMember = { readonly name: string; readonly start: number; readonly end: number; readonly extent: JsonExtent }

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Finds the members of a JSON object without parsing their values. Undefined for anything that is not an object; what only a
 * parser recognises as invalid, such as a number with two points, is found nevertheless.
 */
export function scanMembers(bytes: Buffer, start: number, end: number): JsonMember[] | undefined {
  if (bytes[start] !== openBrace) return undefined
  const members: JsonMember[] = []
  let at = skipBlanks(bytes, start + 1, end)
  if (bytes[at] === closeBrace) return members
  for (;;) {
    const nameExtent = bytes[at] === quote ? measureJson(bytes, at, end) : undefined
    if (nameExtent === undefined) return undefined
    const name = tryParseJson(bytes.toString('utf8', at, nameExtent.end))
    at = skipBlanks(bytes, nameExtent.end, end)
    if (!('value' in name) || typeof name.value !== 'string' || bytes[at] !== colon) return undefined
    at = skipBlanks(bytes, at + 1, end)
    const extent = measureJson(bytes, at, end)
    if (extent === undefined) return undefined
    members.push({ name: name.value, start: at, end: extent.end, extent })
    at = skipBlanks(bytes, extent.end, end)
    if (bytes[at] === closeBrace) return members
    if (bytes[at] !== comma) return undefined
    at = skipBlanks(bytes, at + 1, end)
  }
}

/**
 * Adds fields to an object without printing what it has: its bytes stay as they came. Added fields stand behind, so that they
 * win over fields of the same name.
 */
export function appendFields(bytes: Buffer, { start, end }: { readonly start: number; readonly end: number }, added: object): Buffer {
  const text = JSON.stringify(added)
  if (text === '{}') return Buffer.from(bytes.subarray(start, end))
  const isEmpty = bytes[skipBlanks(bytes, start + 1, end)] === closeBrace
  return Buffer.concat([bytes.subarray(start, end - 1), Buffer.from(isEmpty ? text.slice(1) : `,${text.slice(1)}`)])
}
