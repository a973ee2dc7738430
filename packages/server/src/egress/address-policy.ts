import { parseAddress } from '@tripline/common/address'
import { containsAddress, parseNetwork } from '@tripline/common/network'
import type { Network } from '@tripline/common/network'
import { specialRanges } from './special-ranges.ts'

/**
 * The verdict on an address: `named` is allowed explicitly by the installation, `open` is any other internet address,
 * and special ranges are refused with their purpose.
 */
type AddressVerdict = { readonly kind: 'named' | 'open' } | { readonly kind: 'refused'; readonly purpose: string }

export type AddressPolicy = (address: string) => AddressVerdict

const specialNetworks = specialRanges.map(([cidr, purpose]) => ({ network: requireNetwork(cidr), purpose }))

/**
 * Creates the policy of an installation: special ranges are refused, except those in `allowCidrs`.
 *
 * @throws Error for a text that is no CIDR range.
 */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  const named = allowCidrs.map(requireNetwork)
  return (text) => {
    const address = parseAddress(text)
    // A zone would select a local network interface.
    if (address === undefined || text.includes('%')) return { kind: 'refused', purpose: 'not an address' }
    // An IPv4 address embedded in IPv6 is refused; it has to be written as IPv4.
    if (address.length === 4 && text.includes(':')) return { kind: 'refused', purpose: 'IPv4 inside IPv6' }
    if (named.some((network) => containsAddress(network, text))) return { kind: 'named' }
    const found = specialNetworks.find(({ network }) => containsAddress(network, text))
    return found === undefined ? { kind: 'open' } : { kind: 'refused', purpose: found.purpose }
  }
}

function requireNetwork(text: string): Network {
  const network = parseNetwork(text)
  if (network !== undefined) return network
  throw new Error(`'${text}' is not an address range; use one like 10.0.0.0/8 or fd00::/8`)
}
