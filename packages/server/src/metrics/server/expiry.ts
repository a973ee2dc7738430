import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'

/** Something that ends at an instant and has to be replaced before. */
export type Expiry = {
  readonly kind: 'api_key' | 'issuer_key' | 'tls_certificate' | 'tls_client_ca'
  /** The tenant that it belongs to; undefined for what belongs to the server. */
  readonly tenant: TenantId | undefined
  /** Unique among those of its kind and tenant. */
  readonly id: string
  readonly name: string
  readonly expiresAt: number
}

/** Whether an API key ended so long ago that it is given up; certificates and keys of issuers count until they are replaced. */
export function hasLapsed({ kind, expiresAt }: Expiry, nowMs: number): boolean {
  return kind === 'api_key' && nowMs - expiresAt >= limits.expiry.lapsedMs
}

/** What ends soon or has ended, of a tenant and of the server, soonest first; at most `limits.expiry.listedMax`. */
export function listExpiring(expiries: readonly Expiry[], tenant: TenantId, nowMs: number): readonly Expiry[] {
  return expiries
    .filter((expiry) => expiry.tenant === undefined || expiry.tenant === tenant)
    .filter((expiry) => expiry.expiresAt - nowMs <= limits.expiry.noticeMs && !hasLapsed(expiry, nowMs))
    .toSorted((one, other) => one.expiresAt - other.expiresAt)
    .slice(0, limits.expiry.listedMax)
}

/** For each kind and tenant the one that ends first. */
export function listFirstExpiries(expiries: readonly Expiry[]): readonly Expiry[] {
  const first = new Map<string, Expiry>()
  for (const expiry of expiries) {
    const key = JSON.stringify([expiry.kind, expiry.tenant])
    const known = first.get(key)
    if (known === undefined || expiry.expiresAt < known.expiresAt) first.set(key, expiry)
  }
  return [...first.values()]
}
