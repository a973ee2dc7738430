import { BlockList, isIP } from 'node:net'

/** Addresses that begin alike, such as `10.0.0.0/8`. */
export type AddressRange = { readonly family: number; readonly list: BlockList }

/** Reads `10.0.0.0/8` or `fd00::/8`; bits after the prefix do not count. @throws Error that names the text. */
export function parseAddressRange(text: string): AddressRange {
  const [, base = '', digits = ''] = /^([0-9a-fA-F:.]{2,45})\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(base)
  const prefix = Number(digits)
  if (family === 0 || digits === '' || prefix > (family === 4 ? 32 : 128)) {
    throw new Error(`'${text}' is no range of addresses; it has to be like 10.0.0.0/8 or fd00::/8`)
  }
  const list = new BlockList()
  list.addSubnet(base, prefix, wordOf(family))
  return { family, list }
}

/** Whether an address is in a range of its own family: `::ffff:127.0.0.1` is in none of IPv4. What is no address is in none. */
export function isInRange(range: AddressRange, address: string): boolean {
  return range.family === isIP(address) && range.list.check(address, wordOf(range.family))
}

function wordOf(family: number): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6'
}
