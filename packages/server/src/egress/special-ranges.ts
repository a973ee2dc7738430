/** A block of addresses that requests may not reach unless the installation allows it, and its purpose. */
type SpecialRange = readonly [cidr: string, purpose: string]

/**
 * The special-purpose address registries of IANA, and the metadata endpoints of clouds. The first entry that contains
 * an address names it.
 */
export const specialRanges: readonly SpecialRange[] = [
  ['0.0.0.0/8', 'this host'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local, and cloud metadata'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'protocol assignments, and cloud metadata'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', '6to4 relays'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarks'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['168.63.129.16/32', 'cloud metadata'],
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
  ['fc00::/7', 'private, and cloud metadata'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
  // Only 2000::/3 is allocated to the internet.
  ['::/3', 'unallocated'],
  ['4000::/2', 'unallocated'],
  ['8000::/1', 'unallocated'],
]
