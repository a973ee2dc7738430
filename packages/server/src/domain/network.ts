import { BlockList, isIP } from 'node:net'

/** Whether a text is an address of IPv4 or IPv6. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0
}

/** The addresses of a network, parsed. */
export type Network = BlockList

/** The addresses of a network such as `10.0.0.0/8` or `2001:db8::/32`; undefined for a text that is none. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', prefix = ''] = /^([0-9a-f.:]{2,45})\/(\d{1,3})$/i.exec(text) ?? []
  const family = isIP(address)
  if (family === 0 || Number(prefix) > (family === 4 ? 32 : 128)) return undefined
  const network = new BlockList()
  network.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6')
  return network
}

/** Whether an address lies in a network; a text that is no address lies in none. */
export function isInNetwork(network: Network, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && network.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
