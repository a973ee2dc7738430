import { BlockList, isIP } from 'node:net'
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
 * @throws Error for a text that is no CIDR.
 */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  const allowed = allowCidrs.map(parseCidr)
  return (address) => {
    const family = isIP(address)
    // A zone would choose a network card of ours.
    if (family === 0 || address.includes('%')) return { kind: 'refused', purpose: 'not an address' }
    if (allowed.some((range) => holds(range, address, family))) return { kind: 'named' }
    const found = special.find(({ range }) => holds(range, address, family))
    return found === undefined ? { kind: 'open' } : { kind: 'refused', purpose: found.purpose }
  }
}

type Range = { readonly family: number; readonly list: BlockList }

/** Reads `10.0.0.0/8`; bits after the prefix do not count. @throws Error that names the text. */
function parseCidr(text: string): Range {
  const [, base = '', digits = ''] = /^([0-9a-fA-F:.]{2,45})\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(base)
  const prefix = Number(digits)
  if (family === 0 || digits === '' || prefix > widthOf(family)) {
    throw new Error(`'${text}' is no range of addresses; it has to be like 10.0.0.0/8 or fd00::/8`)
  }
  const list = new BlockList()
  list.addSubnet(base, prefix, wordOf(family))
  return { family, list }
}

/** An address is only looked for in ranges of its own family: else `::ffff:127.0.0.1` were in `127.0.0.0/8`. */
function holds(range: Range, address: string, family: number): boolean {
  return range.family === family && range.list.check(address, wordOf(family))
}

function widthOf(family: number): number {
  return family === 4 ? 32 : 128
}

function wordOf(family: number): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6'
}

const special = specialRanges.map(([cidr, purpose]) => ({ range: parseCidr(cidr), purpose }))
