import { parseAddress } from '@tripline/common/address'
import type { AssetFacts } from '../enrichment/asset.ts'

/**
 * What an asset is recognised by: the id that a scanner gave it (`<connector>:<id>`), an identity of the machine itself such
 * as an agent's id, its interfaces, its names, and the first labels of its names.
 */
export type Identifier = { readonly kind: 'scanner' | 'machine' | 'mac' | 'name' | 'label'; readonly value: string }

/** Sources of sightings that are not written by people. */
export type SightingSource = 'events' | 'dhcp' | 'scanner' | 'collector'

/** What one source saw of one machine at a moment. */
export type Sighting = {
  /** The id of the asset if it is new. */
  readonly id: string
  readonly at: number
  readonly source: SightingSource
  /** Identities besides the names and interfaces among the facts. */
  readonly identifiers: readonly Identifier[]
  readonly facts: Partial<AssetFacts>
  /** Whether the source inventories machines, so that its name and system of a machine replace those of events. */
  readonly isInventory: boolean
  /** Whether the addresses belong to the machine alone from now on, as after a lease or a scan. */
  readonly takesAddresses: boolean
  /** How often each user logged on. */
  readonly logons: ReadonlyMap<string, number>
}

export function getFirstLabel(hostname: string): string {
  const end = hostname.indexOf('.')
  return end === -1 ? hostname : hostname.slice(0, end)
}

/** Whether two host names may be those of one machine: they are equal, or one is the first label of the other. */
export function isSameName(a: string, b: string): boolean {
  return a === b || (getFirstLabel(a) === getFirstLabel(b) && (!a.includes('.') || !b.includes('.')))
}

/** All identifiers that a machine has by its facts. */
export function listIdentifiers(
  { hostname = '', macAddresses = [] }: Partial<AssetFacts>, others: readonly Identifier[] = [],
): Identifier[] {
  const names: Identifier[] = hostname === ''
    ? []
    : [{ kind: 'name', value: hostname }, ...(hostname.includes('.') ? [{ kind: 'label', value: getFirstLabel(hostname) } as const] : [])]
  const macs = macAddresses.filter(isUniqueMacAddress).map((value): Identifier => ({ kind: 'mac', value }))
  return [...others, ...macs, ...names]
}

/** Interfaces that many machines have alike: virtual routers, containers, tunnels and loopback adapters. */
const sharedMacPrefixes = [
  '00:00:00:00:00:00', '00:00:5e:00:01', '00:00:0c:07:ac', '00:05:9a:3c:7', '00:09:0f:', '02:00:4c:4f:4f:50', '02:42:', '00:ff:',
]

/** Whether a normalized MAC address tells one machine from others: it is neither a group address nor one of the shared ones. */
export function isUniqueMacAddress(mac: string): boolean {
  const isGroup = (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1
  return !isGroup && !sharedMacPrefixes.some((prefix) => mac.startsWith(prefix))
}

/** Whether an address can be that of one machine in a network: not loopback, link-local, unspecified, multicast or broadcast. */
export function isMachineAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined) return false
  const [first = 0, second = 0] = address
  if (address.length === 4) return first !== 0 && first !== 127 && first < 224 && !(first === 169 && second === 254)
  const isLinkLocal = first === 0xfe && (second & 0xc0) === 0x80
  return first !== 0xff && !isLinkLocal && address.subarray(0, 15).some((byte) => byte !== 0)
}
