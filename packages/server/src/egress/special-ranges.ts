/** A block of addresses that no request leaves for, unless the installation allows it, and what it is for. */
export type SpecialRange = readonly [cidr: string, purpose: string]

/**
 * Addresses that are not of one machine somewhere in the internet, by the registries of IANA for special-purpose
 * addresses, and those at which clouds answer to their own machines. The first that holds an address names it.
 */
export const specialRanges: readonly SpecialRange[] = [
  ['0.0.0.0/8', 'this host'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by carriers'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local, and metadata of clouds'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'protocol assignments, and metadata of clouds'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'relays of 6to4'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarks'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['168.63.129.16/32', 'metadata of clouds'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved, and broadcast'],

  ['::/128', 'this host'],
  ['::1/128', 'loopback'],
  ['64:ff9b::/96', 'IPv4 inside IPv6'],
  ['64:ff9b:1::/48', 'IPv4 inside IPv6'],
  ['2002::/16', 'IPv4 inside IPv6'],
  ['2001::/23', 'protocol assignments, and IPv4 inside IPv6'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'private, and metadata of clouds'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
  // Only 2000::/3 is given out to the internet; what else there is has no machine behind it that is meant.
  ['::/3', 'not given out'],
  ['4000::/2', 'not given out'],
  ['8000::/1', 'not given out'],
]
