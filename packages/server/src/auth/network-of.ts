import { isIPv6 } from 'node:net'

/**
 * Whom an address is counted as: an IPv4 address as itself, an IPv6 address as its first 64 bits, which is what one
 * household or machine is given; so nobody has more attempts for having more addresses. An IPv4 address written as
 * IPv6 is the same as without. What is no address is itself.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]).join('.')
  return `${groups.slice(0, 4).map((group) => group.toString(16)).join(':')}::/64`
}

/** The eight groups of an IPv6 address, however it is written. */
function groupsOf(address: string): number[] {
  // A URL writes all forms of an address in one: small letters, no leading zeros, `::`, no dots.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const read = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [read(head), read(tail ?? '')]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}
