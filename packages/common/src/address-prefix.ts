import { parseAddress, printIpAddress } from './address.ts'
import { printNetwork } from './network.ts'

/**
 * The rate limit key of an address: an IPv4 address itself, the /64 prefix of an IPv6 address, which one household or
 * machine gets, so that many addresses give no more attempts. An IPv4-mapped address counts as IPv4. Other texts are
 * returned unchanged.
 */
export function getAddressPrefix(text: string): string {
  const address = parseAddress(text)
  if (address === undefined) return text
  return address.length === 4 ? printIpAddress(address) : printNetwork(address, 64)
}
