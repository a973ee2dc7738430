import type { Asset } from '../enrichment/asset.ts'
import { getFirstLabel, isSameName, isUniqueMacAddress } from './sighting.ts'
import type { Identifier, Sighting } from './sighting.ts'

/** The known assets, as far as a sighting may be one of them. */
export type AssetIndex = {
  readonly find: (identifier: Identifier) => readonly Asset[]
  /** Assets without a name that hold an address. */
  readonly findNameless: (address: string) => readonly Asset[]
  /** The asset seen last of those that hold an address. */
  readonly findHolder: (address: string) => Asset | undefined
  /** The ids that scanners gave an asset. */
  readonly getScannerIds: (asset: Asset) => readonly string[]
}

/** The asset that a sighting is of, if it is known, and assets that turn out to be the same machine. */
type Resolution = { readonly target: Asset | undefined; readonly absorbed: readonly Asset[] }

/**
 * Decides which asset a sighting is of, as entity resolution by ranked identifiers: the id of a scanner, the identity of the
 * machine, its name, its interfaces, and its address last. An address alone never joins two named machines. Two assets that
 * one scanner tells apart stay two, and so do two of different names, except that a scan may rename the machine of an
 * interface.
 */
export function resolveSighting(sighting: Sighting, index: AssetIndex): Resolution {
  const { facts: { hostname = '', macAddresses = [], ipAddresses = [] }, identifiers, isInventory } = sighting
  const scannerIds = identifiers.filter(({ kind }) => kind === 'scanner').map(({ value }) => value)
  const isDistinct = (asset: Asset): boolean => areTwoForScanner(scannerIds, index.getScannerIds(asset))
  const isPossible = (asset: Asset): boolean => !isDistinct(asset)

  const stated = identifiers.flatMap((identifier) => index.find(identifier)).filter(isPossible)
  const named = hostname === '' ? [] : findByName(hostname, ipAddresses, index).filter(isPossible)
  const macs = macAddresses.filter(isUniqueMacAddress)
  const wired = macs.flatMap((value) => index.find({ kind: 'mac', value })).filter(isPossible)
  const fitting = wired.filter((asset) => hostname === '' || asset.hostname === '' || isSameName(hostname, asset.hostname))
  // A scan that finds the interface of a machine under a name of which nothing is known has found it renamed.
  const renamed = isInventory && stated.length + named.length === 0 ? wired : []
  const isAddressOnly = hostname === '' && macs.length === 0
  const nameless = ipAddresses.flatMap((address) => index.findNameless(address)).filter((asset) => {
    return isPossible(asset) && (macs.length === 0 || asset.macAddresses.every((mac) => macs.includes(mac)))
  })
  const held = isAddressOnly || (hostname === '' && isInventory)
    ? ipAddresses.map((address) => index.findHolder(address)).filter((asset) => asset !== undefined).filter(isPossible)
    : []

  const target = [...stated, ...named, ...fitting, ...renamed, ...nameless, ...held][0]
  if (target === undefined) return { target, absorbed: [] }
  const name = hostname === '' ? target.hostname : hostname
  const absorbed = [...stated, ...named, ...fitting, ...nameless].filter((asset) => {
    if (asset.id === target.id || areTwoForScanner(index.getScannerIds(asset), index.getScannerIds(target))) return false
    return asset.hostname === '' || name === '' || isSameName(asset.hostname, name)
  })
  return { target, absorbed: [...new Map(absorbed.map((asset) => [asset.id, asset])).values()] }
}

/** Whether a scanner gave one of them an id and the other a different one. */
function areTwoForScanner(some: readonly string[], others: readonly string[]): boolean {
  return some.some((id) => !others.includes(id) && others.some((other) => getScope(other) === getScope(id)))
}

function getScope(scannerId: string): string {
  return scannerId.slice(0, scannerId.indexOf(':'))
}

/**
 * Assets of a name: those that have it, or have its first label alone. A first label alone stands for a full name only if
 * no other asset has that label, or if they share an address.
 */
function findByName(hostname: string, ipAddresses: readonly string[], index: AssetIndex): readonly Asset[] {
  const exact = index.find({ kind: 'name', value: hostname })
  if (hostname.includes('.')) return [...exact, ...index.find({ kind: 'name', value: getFirstLabel(hostname) })]
  const full = index.find({ kind: 'label', value: hostname })
  const sharing = full.filter((asset) => asset.ipAddresses.some((address) => ipAddresses.includes(address)))
  return [...exact, ...(full.length === 1 ? full : sharing.slice(0, 1))]
}
