import type { CidrTest } from '../predicate.ts'

/** Why a text is not a network, as one clause. */
export type CidrProblem = { readonly problem: string }

/**
 * Parses a network in CIDR notation; a bare address is a network of one address. Host bits must be zero.
 */
export function parseCidr(text: string): CidrTest | CidrProblem {
  const slash = text.indexOf('/')
  const addressText = slash === -1 ? text : text.slice(0, slash)
  const prefixText = slash === -1 ? undefined : text.slice(slash + 1)
  const address = parseAddress(addressText)
  if (address === undefined) return { problem: `'${text}' is not an IPv4 or IPv6 network` }
  const width = address.version === 4 ? 32 : 128
  const network = BigInt(address.bits)
  const prefixLength = prefixText === undefined ? width : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : NaN
  if (!(prefixLength <= width)) return { problem: `'${text}' is not an IPv4 or IPv6 network: the prefix length is 0 to ${width}` }
  const hostBits = BigInt(width - prefixLength)
  if ((network >> hostBits) << hostBits !== network) return { problem: `'${text}' has host bits set` }
  return { kind: 'cidr', text: `${addressText}/${prefixLength}`, version: address.version, network, prefixLength }
}

/**
 * Compiles a test for membership in a network. It ignores a zone id and treats an IPv4-mapped IPv6 address as the IPv4
 * address too; a text that is no address is in no network.
 */
export function compileCidr(test: CidrTest): (text: string) => boolean {
  return test.version === 4 ? compileNetwork4(test) : compileNetwork6(test)
}

/** Events of a fleet name a new IPv4 address each: numbers compare ten times as fast as big integers. */
function compileNetwork4({ network, prefixLength }: CidrTest): (text: string) => boolean {
  const size = 2 ** (32 - prefixLength)
  const first = Number(network)
  return (text) => {
    const { v4 } = parseAddresses(text)
    return v4 !== undefined && v4 >= first && v4 - first < size
  }
}

function compileNetwork6({ network, prefixLength }: CidrTest): (text: string) => boolean {
  const hostBits = BigInt(128 - prefixLength)
  const prefix = network >> hostBits
  return (text) => {
    const { v6 } = parseAddresses(text)
    return v6 !== undefined && v6 >> hostBits === prefix
  }
}

/** A text as an address of each version; an IPv4-mapped IPv6 address has both. */
type Addresses = { readonly v4: number | undefined; readonly v6: bigint | undefined }

const noAddresses: Addresses = { v4: undefined, v6: undefined }

/** The last parsed text: lists of networks are compared with the same text one after the other. */
let lastParsed: { readonly text: string; readonly addresses: Addresses } = { text: '', addresses: noAddresses }

function parseAddresses(text: string): Addresses {
  if (text !== lastParsed.text) lastParsed = { text, addresses: toAddresses(parseAddress(text)) }
  return lastParsed.addresses
}

function toAddresses(address: Address | undefined): Addresses {
  if (address === undefined) return noAddresses
  if (address.version === 4) return { v4: address.bits, v6: undefined }
  const isMapped = address.bits >> 32n === 0xffffn
  return { v4: isMapped ? Number(address.bits & 0xffff_ffffn) : undefined, v6: address.bits }
}

type Address = { readonly version: 4; readonly bits: number } | { readonly version: 6; readonly bits: bigint }

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

/** The longest IPv4 text has 15 characters: four parts of at most three digits. */
const ipv4LengthMax = 15
const zero = 0x30
const dot = 0x2e

/** Reads digit by digit: this is asked of every address that is new. */
function parseIpv4(text: string): number | undefined {
  if (text.length > ipv4LengthMax) return undefined
  let bits = 0
  let partCount = 0
  let digitCount = 0
  let part = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? dot : text.charCodeAt(at)
    if (code === dot) {
      if (digitCount === 0 || part > 255) return undefined
      bits = bits * 256 + part
      partCount++
      digitCount = 0
      part = 0
      continue
    }
    const digit = code - zero
    // Rejects leading zeros, which some parsers read as octal.
    if (digit < 0 || digit > 9 || (digitCount > 0 && part === 0)) return undefined
    digitCount++
    part = part * 10 + digit
  }
  return partCount === 4 ? bits : undefined
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
      groups.push(Math.floor(ipv4 / 0x1_0000), ipv4 % 0x1_0000)
    }
  }
  return groups
}
