import { normalizeHostName } from '@tripline/common/domain-name'
import { latest } from './asset.ts'

/** Where a host name was seen: in which protocol, or in an imported file. */
export const subdomainSources = ['dns', 'tls', 'http', 'import'] as const
export type SubdomainSource = (typeof subdomainSources)[number]

/** Facts about a host name under the tenant's own domains. */
export type SubdomainFacts = {
  /** In lower case and punycode; unique in the tenant. */
  readonly name: string
  /** The own domain that it is under, empty for an imported name under none. */
  readonly domain: string
  /** The address that it last had; empty if unknown. */
  readonly ip: string
  readonly sources: readonly SubdomainSource[]
  readonly firstSeenAt: number | undefined
  readonly lastSeenAt: number | undefined
}

/** A host name under the tenant's own domains. */
export type Subdomain = SubdomainFacts & {
  readonly id: string
  /** Counts changes, from 1; sightings do not count. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A host name that an event told of. */
export type SubdomainSighting = {
  /** Its id if it is new. */
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly ip: string
  readonly source: SubdomainSource
  readonly at: number
}

/** A host name as it is looked up; undefined for anything else. */
export function normalizeSubdomain(text: string): string | undefined {
  return normalizeHostName(text.trim().replace(/^\*\./, ''))
}

/** The most specific of the own domains that a name is in; undefined if it is in none. */
export function findOwnDomain(name: string, ownDomains: readonly string[]): string | undefined {
  const enclosing = ownDomains.filter((domain) => name === domain || name.endsWith(`.${domain}`))
  return enclosing.toSorted((a, b) => b.length - a.length)[0]
}

/** Merges new facts into known ones: the earliest and latest times win, sources are combined. */
export function mergeSubdomain<Known extends SubdomainFacts>(known: Known, stated: Partial<SubdomainFacts>): Known {
  const firsts = [known.firstSeenAt, stated.firstSeenAt].filter((at) => at !== undefined)
  return {
    ...known, ...stated,
    sources: subdomainSources.filter((source) => known.sources.includes(source) || stated.sources?.includes(source) === true),
    firstSeenAt: firsts.length === 0 ? undefined : Math.min(...firsts), lastSeenAt: latest(known.lastSeenAt, stated.lastSeenAt),
  }
}
