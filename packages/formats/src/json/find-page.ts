import { measureJson, skipBlanks } from '@tripline/common/json'
import { findJsonElements } from './json-elements.ts'

/**
 * How a page of events begins that is a body as its producer prints it: a file of CloudTrail, a message of Azure's event hubs, and
 * a list that the audit webhook of Kubernetes posts. Ends with the bracket of the array.
 */
const pageHead = new RegExp([
  String.raw`^\{\s*"[Rr]ecords"\s*:\s*\[`,
  String.raw`^\{\s*"kind"\s*:\s*"EventList"\s*,\s*"apiVersion"\s*:\s*"audit\.k8s\.io/[^"]{1,20}"\s*,`
    + String.raw`\s*"metadata"\s*:\s*\{[^{}]*\}\s*,\s*"items"\s*:\s*\[`,
].join('|'))
/** Bytes in which such a head ends. */
const headBytesMax = 512

/** Where the array of a page is. */
type Page = { readonly start: number; readonly end: number }

const comma = 0x2c
const openBrace = 0x7b
const closeBrace = 0x7d
const closeBracket = 0x5d

/**
 * Finds the array of events in a body that is such a page, in steps; undefined for any other body, which is an event. All of the
 * page is measured, because an object with another member behind the array is an event too.
 */
export function* findPage(bytes: Buffer, start: number): Generator<undefined, Page | undefined> {
  const [head] = pageHead.exec(bytes.toString('latin1', start, start + headBytesMax)) ?? []
  if (head === undefined) return undefined
  const arrayStart = start + head.length - 1
  let at = skipBlanks(bytes, arrayStart + 1, bytes.length)
  for (;;) {
    const extent = bytes[at] === openBrace ? measureJson(bytes, at, bytes.length) : undefined
    if (extent === undefined) return undefined
    at = skipBlanks(bytes, extent.end, bytes.length)
    yield
    if (bytes[at] !== comma) break
    at = skipBlanks(bytes, at + 1, bytes.length)
  }
  const objectEnd = skipBlanks(bytes, at + 1, bytes.length)
  if (bytes[at] !== closeBracket || bytes[objectEnd] !== closeBrace) return undefined
  return skipBlanks(bytes, objectEnd + 1, bytes.length) === bytes.length ? { start: arrayStart, end: at + 1 } : undefined
}

/** The events of a message that is a page of them; a message of any other kind is one. */
export function splitMessage(bytes: Buffer): readonly Buffer[] {
  const finding = findPage(bytes, skipBlanks(bytes, 0, bytes.length))
  let step = finding.next()
  while (step.done !== true) step = finding.next()
  if (step.value === undefined) return [bytes]
  return [...findJsonElements(bytes.subarray(0, step.value.end), step.value.start)].map(({ start, end }) => bytes.subarray(start, end))
}
