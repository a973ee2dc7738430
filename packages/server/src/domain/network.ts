import { parseAddress, printAddress } from './address.ts'
import type { Address } from './address.ts'

/** Addresses that begin with the same bits: the first of them, and how many bits they have in common. */
export type Network = { readonly first: Address; readonly prefix: number }

/**
 * Reads a network such as `10.0.0.0/8` or `fd00::/8`; bits behind the prefix do not count. One of IPv4 addresses that are
 * written as IPv6 is the network of IPv4: `::ffff:10.0.0.0/104` is `10.0.0.0/8`. Undefined for what is none.
 */
export function parseNetwork(text: string): Network | undefined {
  const [, base = '', digits = ''] = /^([0-9a-f.:]{2,45})\/(\d{1,3})$/i.exec(text) ?? []
  const address = parseAddress(base)
  if (address === undefined) return undefined
  // The prefix of an IPv4 network that is written as IPv6 counts the 96 bits before it too.
  const prefix = Number(digits) - (address.length === 4 && base.includes(':') ? 96 : 0)
  return 0 <= prefix && prefix <= address.length * 8 ? { first: maskAddress(address, prefix), prefix } : undefined
}

/**
 * Whether an address lies in a network. An IPv4 address that is written as IPv6 is that IPv4 address, and networks hold
 * addresses of their own family alone: `::ffff:10.0.0.1` is in `10.0.0.0/8` and not in `::/0`. What is no address lies in none.
 */
export function isInNetwork({ first, prefix }: Network, text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined || address.length !== first.length) return false
  return maskAddress(address, prefix).every((byte, i) => byte === first[i])
}

/** Whether an address lies in one of some networks as they are written; a text that is no network holds nothing. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  return networks.some((text) => {
    const network = parseNetwork(text)
    return network !== undefined && isInNetwork(network, address)
  })
}

/** A network in its one form, so that equal networks are equal texts; undefined for what is none. */
export function normalizeNetwork(text: string): string | undefined {
  const network = parseNetwork(text)
  return network && printNetwork(network.first, network.prefix)
}

/** All networks that hold an address, the smallest first: 33 or 129 of them. */
export function listEnclosingNetworks(address: Address): string[] {
  return Array.from({ length: address.length * 8 + 1 }, (_, i) => printNetwork(address, address.length * 8 - i))
}

/** The network of a length that holds an address, in its one form. */
export function printNetwork(address: Address, prefix: number): string {
  return `${printAddress(maskAddress(address, prefix))}/${prefix}`
}

/** An address with the bits behind a prefix cleared. */
function maskAddress(address: Address, prefix: number): Address {
  return address.map((byte, i) => byte & getByteMask(prefix - 8 * i))
}

/** The byte that keeps the first `bitCount` bits of another. */
function getByteMask(bitCount: number): number {
  if (bitCount >= 8) return 0xff
  return bitCount <= 0 ? 0 : (0xff << (8 - bitCount)) & 0xff
}
