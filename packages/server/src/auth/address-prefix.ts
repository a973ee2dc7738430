import { parseAddress, printAddress } from '../domain/address.ts'
import { printNetwork } from '../domain/network.ts'

/**
 * Whom an address is counted as: an IPv4 address as itself, an IPv6 address as its first 64 bits, which is what one
 * household or machine is given; so nobody has more attempts for having more addresses. An IPv4 address written as
 * IPv6 is the same as without. What is no address is itself.
 */
export function getAddressPrefix(text: string): string {
  const address = parseAddress(text)
  if (address === undefined) return text
  return address.length === 4 ? printAddress(address) : printNetwork(address, 64)
}
