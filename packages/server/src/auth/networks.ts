import { BlockList, isIP } from 'node:net'

/** Whether a text is a network in CIDR notation: an address, a slash, and how many of its bits count. */
export function isNetwork(text: string): boolean {
  const { address, bits } = parts(text)
  const family = isIP(address)
  return family !== 0 && !address.includes('%') && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

/**
 * Whether an address lies in one of the networks. An IPv4 address is the same as written as IPv6, and so in `::/0`;
 * what is no address lies in none.
 *
 * @throws Error for a network that is none.
 */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  // What follows the sign names an interface of this machine, not a part of the network.
  const [plain = ''] = address.split('%')
  const family = isIP(plain)
  if (family === 0) return false
  const list = new BlockList()
  for (const network of networks) {
    const { address: first, bits } = parts(network)
    list.addSubnet(first, Number(bits), isIP(first) === 4 ? 'ipv4' : 'ipv6')
  }
  return list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}

function parts(text: string): { readonly address: string; readonly bits: string } {
  const slash = text.indexOf('/')
  return slash === -1 ? { address: text, bits: '' } : { address: text.slice(0, slash), bits: text.slice(slash + 1) }
}
