import type { CidrTest } from '../predicate.ts'

/** Why a text is not a network, as one clause. */
export type CidrProblem = { readonly problem: string }

/**
 * Reads a network in CIDR notation; a bare address is a network of one (sigma.md 6.7).
 * Host bits must be zero.
 */
export function parseCidr(text: string): CidrTest | CidrProblem {
  const slash = text.indexOf('/')
  const addressText = slash === -1 ? text : text.slice(0, slash)
  const prefixText = slash === -1 ? undefined : text.slice(slash + 1)
  const address = parseAddress(addressText)
  if (address === undefined) return { problem: `'${text}' is not an IPv4 or IPv6 network` }
  const width = address.version === 4 ? 32 : 128
  const prefixLength = prefixText === undefined ? width : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : NaN
  if (!(prefixLength <= width)) return { problem: `'${text}' is not an IPv4 or IPv6 network: the prefix length is 0 to ${width}` }
  const hostBits = BigInt(width - prefixLength)
  if ((address.bits >> hostBits) << hostBits !== address.bits) return { problem: `'${text}' has host bits set` }
  return { kind: 'cidr', text: `${addressText}/${prefixLength}`, version: address.version, network: address.bits, prefixLength }
}

/**
 * A test of texts for membership in a network. A zone id is ignored, an IPv4-mapped IPv6 address counts as
 * the IPv4 address it carries, and what is no address is in no network (D-24).
 */
export function compileCidr(test: CidrTest): (text: string) => boolean {
  const hostBits = BigInt((test.version === 4 ? 32 : 128) - test.prefixLength)
  const network = test.network >> hostBits
  return (text) => {
    const bits = test.version === 4 ? parseAddresses(text).v4 : parseAddresses(text).v6
    return bits !== undefined && bits >> hostBits === network
  }
}

/** What a text is as an address of each version; an IPv4-mapped IPv6 address is one of both. */
type Addresses = { readonly v4?: bigint; readonly v6?: bigint }

/** The last text that was read: networks come in lists, which ask of one text after the other. */
let lastParsed: { readonly text: string; readonly addresses: Addresses } = { text: '', addresses: {} }

function parseAddresses(text: string): Addresses {
  if (text !== lastParsed.text) lastParsed = { text, addresses: toAddresses(parseAddress(text)) }
  return lastParsed.addresses
}

function toAddresses(address: Address | undefined): Addresses {
  if (address === undefined) return {}
  if (address.version === 4) return { v4: address.bits }
  const isMapped = address.bits >> 32n === 0xffffn
  return isMapped ? { v6: address.bits, v4: address.bits & 0xffff_ffffn } : { v6: address.bits }
}

type Address = { readonly version: 4 | 6; readonly bits: bigint }

/** The longest IPv6 text is 45 characters; a zone id may follow. */
const addressLengthMax = 128

function parseAddress(text: string): Address | undefined {
  if (text.length > addressLengthMax) return undefined
  const trimmed = text.trim()
  if (!trimmed.includes(':')) {
    const bits = parseIpv4(trimmed)
    return bits === undefined ? undefined : { version: 4, bits }
  }
  const zone = trimmed.indexOf('%')
  const bits = parseIpv6(zone === -1 ? trimmed : trimmed.slice(0, zone))
  return bits === undefined ? undefined : { version: 6, bits }
}

function parseIpv4(text: string): bigint | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (match === null) return undefined
  let bits = 0n
  for (const part of match.slice(1)) {
    // A leading zero is refused: some readers take such a part as octal.
    if (Number(part) > 255 || (part.length > 1 && part.startsWith('0'))) return undefined
    bits = (bits << 8n) | BigInt(part)
  }
  return bits
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = parseGroups(halves[0] ?? '')
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '') : []
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...Array.from({ length: missing }, () => 0), ...tail]
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n)
}

/** The 16-bit groups of one side of `::`; the last one may be written as an IPv4 address. */
function parseGroups(text: string): number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16))
    else {
      const ipv4 = i === parts.length - 1 ? parseIpv4(part) : undefined
      if (ipv4 === undefined) return undefined
      groups.push(Number(ipv4 >> 16n), Number(ipv4 & 0xffffn))
    }
  }
  return groups
}
