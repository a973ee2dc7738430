import { isIP } from 'node:net'
import { isInRange, parseAddressRange } from '../domain/address-range.ts'
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
  const named = allowCidrs.map(parseAddressRange)
  return (address) => {
    // A zone would choose a network card of ours.
    if (isIP(address) === 0 || address.includes('%')) return { kind: 'refused', purpose: 'not an address' }
    if (named.some((range) => isInRange(range, address))) return { kind: 'named' }
    const found = special.find(({ range }) => isInRange(range, address))
    return found === undefined ? { kind: 'open' } : { kind: 'refused', purpose: found.purpose }
  }
}

const special = specialRanges.map(([cidr, purpose]) => ({ range: parseAddressRange(cidr), purpose }))
