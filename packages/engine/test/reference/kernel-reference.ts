import { decode } from '../kernel-host.ts'
import type { Outcome } from '../kernel-host.ts'

/** The nesting depth up to which the kernel reads values. */
const depthMax = 32

/** The expected results of the kernel for all non-blank lines, from `JSON.parse`. */
export function referenceOutcomes(bytes: Uint8Array, fields: readonly string[]): Outcome[] {
  return linesOf(bytes)
    .map((text, line): Outcome => ({ line, text, values: valuesOf(text, fields) }))
    .filter(({ text }) => !/^[ \t\r]*$/.test(text))
}

/** Decodes the lines of a buffer, without an empty last one. */
export function linesOf(bytes: Uint8Array): string[] {
  const lines: string[] = []
  let start = 0
  for (const [at, byte] of bytes.entries()) {
    if (byte !== 0x0a) continue
    lines.push(decode(bytes.subarray(start, at)))
    start = at + 1
  }
  if (start < bytes.length) lines.push(decode(bytes.subarray(start)))
  return lines
}

function valuesOf(text: string, fields: readonly string[]): Outcome['values'] {
  if (!isEvent(text)) return 'slow'
  const { members, deepest } = membersOf(text)
  if (members.has('slow') || deepest > depthMax + 1) return 'slow'
  return fields.flatMap((field, slot) => (members.has(field) ? [[slot + 1, members.get(field)]] : []))
}

function isEvent(text: string): boolean {
  try {
    const event: unknown = JSON.parse(text)
    return typeof event === 'object' && event !== null && !Array.isArray(event)
  } catch {
    return false
  }
}

/**
 * Reads the raw members of an object, the last of equal keys, and its nesting depth. Parses keys one by one, because
 * V8 14.6 reads `"\u0061"` as the key `\` after an object with that key.
 */
function membersOf(text: string): { readonly members: ReadonlyMap<string, string>; readonly deepest: number } {
  const members = new Map<string, string>()
  let depth = 0
  let deepest = 0
  let key: string | undefined
  let value = ''
  for (const [blanks, token = ''] of text.matchAll(/[ \t\r]*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+)/g)) {
    const isEnd = depth === 1 && (token === ',' || token === '}')
    if (isEnd && key !== undefined) members.set(key, value)
    if (isEnd || (depth === 1 && token === ':')) value = ''
    else value += value === '' ? token : blanks
    if (isEnd) key = undefined
    else if (depth === 1 && key === undefined && token.startsWith('"')) key = JSON.parse(token) as string
    if ('[{'.includes(token)) depth += 1
    else if (']}'.includes(token)) depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return { members, deepest }
}
