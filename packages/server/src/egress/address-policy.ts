import { parseAddress } from '../domain/address.ts'
import { isInNetwork, parseNetwork } from '../domain/network.ts'
import type { Network } from '../domain/network.ts'
import { specialRanges } from './special-ranges.ts'

/**
 * What may be done with an address: `named` is one that the installation names, `open` any other in the internet; an
 * address of a special range is refused, with what the range is for.
 */
export type AddressVerdict = { readonly kind: 'named' | 'open' } | { readonly kind: 'refused'; readonly purpose: string }

export type AddressPolicy = (address: string) => AddressVerdict

/**
 * Makes the policy of an installation: every special range is refused but what lies in `allowCidrs`.
 *
 * @throws Error for a text that is no range.
 */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  const named = allowCidrs.map(requireNetwork)
  return (text) => {
    const address = parseAddress(text)
    // A zone would choose a network card of ours.
    if (address === undefined || text.includes('%')) return { kind: 'refused', purpose: 'not an address' }
    // What stands in an address for IPv4 is asked as IPv4, or not at all.
    if (address.length === 4 && text.includes(':')) return { kind: 'refused', purpose: 'IPv4 inside IPv6' }
    if (named.some((network) => isInNetwork(network, text))) return { kind: 'named' }
    const found = specialNetworks.find(({ network }) => isInNetwork(network, text))
    return found === undefined ? { kind: 'open' } : { kind: 'refused', purpose: found.purpose }
  }
}

const specialNetworks = specialRanges.map(([cidr, purpose]) => ({ network: requireNetwork(cidr), purpose }))

function requireNetwork(text: string): Network {
  const network = parseNetwork(text)
  if (network !== undefined) return network
  throw new Error(`'${text}' is no range of addresses; it has to be like 10.0.0.0/8 or fd00::/8`)
}
