import { isIP } from 'node:net'

/** An IPv4 address in 4 bytes or an IPv6 address in 16; an IPv4-mapped address has 4. */
export type IpAddress = Uint8Array

/** Longest text of an address, including a zone name. */
const addressLengthMax = 64

/** Parses an IP address, optionally with a zone; undefined for anything else, such as `010.1.1.1` or `1.2.3`. */
export function parseAddress(text: string): IpAddress | undefined {
  if (text.length > addressLengthMax) return undefined
  const plain = text.includes('%') ? text.slice(0, text.indexOf('%')) : text
  const version = isIP(plain)
  if (version === 4) return Uint8Array.from(plain.split('.'), Number)
  return version === 6 ? unmapIpv4(parseIpv6(plain)) : undefined
}

/** Prints an address in canonical form (RFC 5952 for IPv6), so that equal addresses are equal texts. */
export function printIpAddress(address: IpAddress): string {
  if (address.length === 4) return address.join('.')
  const groups = Array.from({ length: 8 }, (_, i) => ((address[2 * i] ?? 0) << 8) | (address[2 * i + 1] ?? 0))
  const { start, length } = findLongestZeros(groups)
  const print = (part: number[]): string => part.map((group) => group.toString(16)).join(':')
  return length < 2 ? print(groups) : `${print(groups.slice(0, start))}::${print(groups.slice(start + length))}`
}

/** Normalizes an address; undefined for anything else. */
export function normalizeAddress(text: string): string | undefined {
  const address = parseAddress(text)
  return address && printIpAddress(address)
}

function parseIpv6(text: string): Uint8Array {
  // The URL parser canonicalizes IPv6: lower case, no leading zeros, `::`, no dots.
  const [head = '', tail = ''] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const read = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [read(head), read(tail)]
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}

function unmapIpv4(bytes: Uint8Array): Uint8Array {
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  return isMapped ? bytes.slice(12) : bytes
}

function findLongestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 }
  let length = 0
  for (const [index, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0
    if (length > longest.length) longest = { start: index - length + 1, length }
  }
  return longest
}
