import { nextEdit } from '../edited-version.ts'
import { unknownAsset } from '../enrichment/asset.ts'
import type { Asset, AssetFacts } from '../enrichment/asset.ts'
import { isSameName } from './sighting.ts'
import type { Sighting } from './sighting.ts'

/** Addresses and interfaces that an asset keeps: the newest. */
const addressesMax = 32
const macAddressesMax = 16

/** The asset of a first sighting. */
export function createAsset({ id, facts, source, at }: Sighting, now: number): Asset {
  return {
    id, ...unknownAsset, ...facts, ipAddresses: cap(facts.ipAddresses ?? [], addressesMax),
    macAddresses: cap(facts.macAddresses ?? [], macAddressesMax), firstSeenAt: at, lastSeenAt: at,
    sources: [source], version: 1, editedVersion: 1, createdAt: now, updatedAt: now,
  }
}

/**
 * The asset after a sighting. What people wrote (owner, criticality, tags) is never touched; events fill what is unknown, and
 * an inventory replaces it. The version counts changes of what the asset is, not that it was seen again.
 */
export function mergeSighting(asset: Asset, { facts, source, at, isInventory }: Sighting, now: number): Asset {
  const choose = <Key extends 'os' | 'osFamily' | 'type'>(key: Key): AssetFacts[Key] => {
    const stated = facts[key] ?? unknownAsset[key]
    if (stated === unknownAsset[key]) return asset[key]
    return isInventory || asset[key] === unknownAsset[key] ? stated : asset[key]
  }
  const identity = {
    hostname: chooseName(asset.hostname, facts.hostname ?? '', isInventory),
    ipAddresses: cap([...(facts.ipAddresses ?? []), ...asset.ipAddresses], addressesMax),
    macAddresses: cap([...(facts.macAddresses ?? []), ...asset.macAddresses], macAddressesMax),
    type: choose('type'), os: choose('os'), osFamily: choose('osFamily'), sources: cap([...asset.sources, source], addressesMax),
    riskScore: facts.riskScore ?? asset.riskScore, vulnerabilities: facts.vulnerabilities ?? asset.vulnerabilities,
  }
  const isChanged = Object.entries(identity).some(([key, value]) => !isSameSet(value, Reflect.get(asset, key)))
  return {
    ...asset,
    ...(isChanged ? { ...identity, version: asset.version + 1, updatedAt: now } : {}),
    firstSeenAt: Math.min(asset.firstSeenAt ?? at, at),
    lastSeenAt: Math.max(asset.lastSeenAt ?? at, at),
    lastLogAt: newest(asset.lastLogAt, facts.lastLogAt),
    lastScanAt: newest(asset.lastScanAt, facts.lastScanAt),
  }
}

/** Two assets that are one machine: the first stays, and takes over what it does not know better. */
export function mergeAssets(target: Asset, other: Asset, now: number): Asset {
  type Chosen = 'type' | 'os' | 'osFamily' | 'criticality' | 'owner' | 'riskScore' | 'vulnerabilities'
  const known = <Key extends Chosen>(key: Key): AssetFacts[Key] => {
    return JSON.stringify(target[key]) === JSON.stringify(unknownAsset[key]) ? other[key] : target[key]
  }
  return {
    ...target,
    hostname: chooseName(target.hostname, other.hostname, false), type: known('type'), os: known('os'), osFamily: known('osFamily'),
    criticality: known('criticality'), owner: known('owner'), riskScore: known('riskScore'), vulnerabilities: known('vulnerabilities'),
    ipAddresses: cap([...target.ipAddresses, ...other.ipAddresses], addressesMax),
    macAddresses: cap([...target.macAddresses, ...other.macAddresses], macAddressesMax),
    tags: [...new Set([...target.tags, ...other.tags])], sources: cap([...target.sources, ...other.sources], addressesMax),
    firstSeenAt: Math.min(target.firstSeenAt ?? Infinity, other.firstSeenAt ?? target.createdAt),
    lastSeenAt: newest(target.lastSeenAt, other.lastSeenAt), lastLogAt: newest(target.lastLogAt, other.lastLogAt),
    lastScanAt: newest(target.lastScanAt, other.lastScanAt),
    ...nextEdit(target), updatedAt: now,
  }
}

/** The fuller of two names of one machine; an inventory may rename it. */
function chooseName(known: string, stated: string, isInventory: boolean): string {
  if (stated === '' || known === '') return known === '' ? stated : known
  if (isSameName(known, stated)) return stated.length > known.length ? stated : known
  return isInventory ? stated : known
}

function cap(values: readonly string[], countMax: number): string[] {
  return [...new Set(values)].slice(0, countMax)
}

/** Order does not count: a machine that lists its addresses in another order has not changed. */
function isSameSet(a: unknown, b: unknown): boolean {
  const compare = (one: string, other: string): number => Number(one > other) - Number(one < other)
  const normalize = (value: unknown): unknown => (Array.isArray(value) ? value.map(String).toSorted(compare) : value)
  return JSON.stringify(normalize(a)) === JSON.stringify(normalize(b))
}

function newest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}
