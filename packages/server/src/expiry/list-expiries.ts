import { X509Certificate } from 'node:crypto'
import type { Tenant } from '@tripline/model/tenant'
import type { ApiKey } from '@tripline/model/access/api-key'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { ExternalIssuer } from '../access/tokens/external-issuer.ts'
import type { TlsFiles } from '../config/tls-files.ts'
import type { Expiry } from '../metrics/server/expiry.ts'

type ExpirySources = {
  readonly state: Pick<StateStore, 'tenants' | 'apiKeys'>
  /** The files that the listener uses now; undefined without TLS. */
  readonly getTls: () => TlsFiles | undefined
  readonly issuer: Pick<ExternalIssuer, 'name' | 'listKeys'> | undefined
}

/** Lists what ends: API keys of active tenants, certificates of the listener, keys of the trusted issuer that state an end. */
export async function listExpiries({ state, getTls, issuer }: ExpirySources): Promise<readonly Expiry[]> {
  const tenants = (await state.tenants.list()).filter(({ isActive }) => isActive)
  const ofTenants: Expiry[] = []
  for (const { id } of tenants) ofTenants.push(...(await state.apiKeys.list(id)).flatMap((key) => toExpiry(id, key)))
  const tls = getTls()
  return [...ofTenants, ...tls === undefined ? [] : listCertificates(tls), ...issuer === undefined ? [] : listIssuerKeys(issuer)]
}

function toExpiry(tenant: Tenant['id'], { publicId, name, expiresAt, revokedAt }: ApiKey): readonly Expiry[] {
  return expiresAt === undefined || revokedAt !== undefined ? [] : [{ kind: 'api_key', tenant, id: publicId, name, expiresAt }]
}

function listCertificates({ expiresAt, ca = '' }: TlsFiles): readonly Expiry[] {
  const authorities = ca.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  return [
    { kind: 'tls_certificate', tenant: undefined, id: 'tls_certificate', name: '--tls-cert', expiresAt },
    ...authorities.map((pem): Expiry => {
      const { subject, fingerprint256, validToDate } = new X509Certificate(pem)
      const name = subject.replaceAll('\n', ', ')
      return { kind: 'tls_client_ca', tenant: undefined, id: fingerprint256, name, expiresAt: validToDate.getTime() }
    }),
  ]
}

/** A key of an issuer ends with the certificate in its `x5c`, or with its `exp`; most state neither. */
function listIssuerKeys({ name: issuer, listKeys }: Pick<ExternalIssuer, 'name' | 'listKeys'>): readonly Expiry[] {
  return listKeys().flatMap((key, index) => {
    // RFC 7517 has no time at which a key ends; the keys of federations state one.
    const { kid, exp, x5c }: { readonly [member: string]: unknown } = { ...key }
    const ends = [
      ...typeof exp === 'number' ? [exp * 1_000] : [],
      ...Array.isArray(x5c) && typeof x5c[0] === 'string' ? readCertificateEnd(x5c[0]) : [],
    ]
    const id = typeof kid === 'string' ? kid : `key ${index + 1}`
    if (ends.length === 0) return []
    return [{ kind: 'issuer_key' as const, tenant: undefined, id, name: `${id} of ${issuer}`, expiresAt: Math.min(...ends) }]
  })
}

/** When a certificate in base64 ends; nothing for one that cannot be read, whose key verifies tokens all the same. */
function readCertificateEnd(base64: string): readonly number[] {
  try {
    return [new X509Certificate(Buffer.from(base64, 'base64')).validToDate.getTime()]
  } catch {
    return []
  }
}
