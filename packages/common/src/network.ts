import { parseAddress, printIpAddress } from './address.ts'
import type { IpAddress } from './address.ts'

/** An IP network: its first address and prefix length. */
export type Network = { readonly first: IpAddress; readonly prefix: number }

/**
 * Parses a network such as `10.0.0.0/8` or `fd00::/8`; bits after the prefix are ignored. An IPv4-mapped network is IPv4:
 * `::ffff:10.0.0.0/104` is `10.0.0.0/8`. Undefined for anything else.
 */
export function parseNetwork(text: string): Network | undefined {
  const [, base = '', digits = ''] = /^([0-9a-f.:]{2,45})\/(\d{1,3})$/i.exec(text) ?? []
  const address = parseAddress(base)
  if (address === undefined) return undefined
  // The prefix of an IPv4-mapped network includes the 96 bits before it.
  const prefix = Number(digits) - (address.length === 4 && base.includes(':') ? 96 : 0)
  return 0 <= prefix && prefix <= address.length * 8 ? { first: maskAddress(address, prefix), prefix } : undefined
}

/**
 * Whether a network contains an address. An IPv4-mapped address counts as IPv4, and families do not mix: `::ffff:10.0.0.1`
 * is in `10.0.0.0/8` and not in `::/0`. An invalid address is in no network.
 */
export function containsAddress({ first, prefix }: Network, text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined || address.length !== first.length) return false
  return maskAddress(address, prefix).every((byte, i) => byte === first[i])
}

/** Whether one of several networks contains an address; invalid networks contain nothing. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  return networks.some((text) => {
    const network = parseNetwork(text)
    return network !== undefined && containsAddress(network, address)
  })
}

/** Whether an address is that of the machine itself. */
export function isLoopback(address: string): boolean {
  return isInNetworks(['127.0.0.0/8', '::1/128'], address)
}

/** Normalizes a network, so that equal networks are equal texts; undefined for anything else. */
export function normalizeNetwork(text: string): string | undefined {
  const network = parseNetwork(text)
  return network && printNetwork(network.first, network.prefix)
}

/** All networks that contain an address, smallest first: 33 or 129 of them. */
export function listEnclosingNetworks(address: IpAddress): string[] {
  return Array.from({ length: address.length * 8 + 1 }, (_, i) => printNetwork(address, address.length * 8 - i))
}

/** Prints the network of a prefix length that contains an address, in canonical form. */
export function printNetwork(address: IpAddress, prefix: number): string {
  return `${printIpAddress(maskAddress(address, prefix))}/${prefix}`
}

/** Clears the bits of an address after the prefix. */
function maskAddress(address: IpAddress, prefix: number): IpAddress {
  return address.map((byte, i) => byte & getByteMask(prefix - 8 * i))
}

/** A byte mask of the first `bitCount` bits. */
function getByteMask(bitCount: number): number {
  if (bitCount >= 8) return 0xff
  return bitCount <= 0 ? 0 : (0xff << (8 - bitCount)) & 0xff
}
