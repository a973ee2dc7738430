import { isInNetworks } from '@tripline/common/network'
import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { ApiKey } from '@tripline/model/access/api-key'
import { isAllowed } from '@tripline/model/access/permission'
import type { Permission } from '@tripline/model/access/permission'
import type { Principal } from '@tripline/model/access/principal'
import { onlyTenant } from '@tripline/model/tenant'
import type { Tenant, TenantId } from '@tripline/model/tenant'
import type { ApiKeys } from '@tripline/state/ports/access-stores'
import type { CollectorStore } from '@tripline/state/ports/collectors/collector-store'
import type { ProvisioningStore } from '@tripline/state/ports/access/provisioning-store'
import { authenticate } from './authenticate.ts'
import type { Authentication } from './authenticate.ts'
import { authenticateConnectorSender } from './connector-sender.ts'
import type { ConnectorSenderDeps } from './connector-sender.ts'
import { isConstantTimeEqual } from './constant-time-equal.ts'
import { verifyApiKey } from './keys/api-key.ts'
import { collectorCredentialPrefix, connectorTokenPrefix, hashToken } from './keys/connector-token.ts'
import { RateLimitedError, buildRateHeaders } from './rate-limiter.ts'
import type { RateDecision, RateLimiter } from './rate-limiter.ts'
import type { RecordKeyUsage } from './record-key-usage.ts'
import { RefusedPrincipalError } from './refused-principal-error.ts'
import { unauthorized } from './tokens/token-principal.ts'

export { RateLimitedError, RefusedPrincipalError, buildRateHeaders }
export type { RateDecision }

/** Dependencies of authentication. */
export type AuthenticationDeps = {
  readonly authentication: Authentication
  readonly apiKeys: { readonly store: ApiKeys; readonly recordUsage: RecordKeyUsage }
  readonly connectorSenders: ConnectorSenderDeps & {
    readonly state: {
      readonly collectors: Pick<CollectorStore, 'find'>
      readonly provisioning: Pick<ProvisioningStore, 'findToken' | 'noteTokenUse'>
    }
  }
  readonly limiter: RateLimiter<'user' | 'tenant'>
  /** The bearer token of monitoring; undefined if only platform operators may read all metrics. */
  readonly scrapeToken: string | undefined
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
}

/** The authentication data of a request. */
export type RequestCredentials = Pick<Principal, 'ip' | 'userAgent' | 'requestId'> & {
  /** The raw header. */
  readonly authorization: string | undefined
}

/**
 * Authenticates a user of the console and counts the request. API keys have no access to the console API.
 *
 * @throws AppError UNAUTHORIZED, RATE_LIMITED.
 */
export async function authenticateUser(deps: AuthenticationDeps,
  asking: RequestCredentials): Promise<{ readonly caller: Principal; readonly rate: RateDecision }> {
  const caller = await authenticateUserToken(deps, readBearerToken(asking), asking)
  return { caller, rate: countRequest(deps, { tenant: caller.tenant, user: caller.actor.id }) }
}

/** Counts a request of a console user against the rate limits. @throws AppError RATE_LIMITED. */
export function countRequest(
  { limiter, clock }: Pick<AuthenticationDeps, 'limiter' | 'clock'>,
  { tenant, user }: { readonly tenant: TenantId; readonly user: string },
): RateDecision {
  const key = JSON.stringify([tenant, user])
  const rate = limiter.consume([{ kind: 'user', key }, { kind: 'tenant', key: tenant }], clock.elapsedMs())
  if (!rate.isAllowed) throw new RateLimitedError(rate)
  return rate
}

/**
 * Authenticates a sender of events: a connector token, a collector, an API key with write access, or a user who may edit
 * connectors. Shippers send the token in the scheme of their protocol. Requests of senders are not rate-limited.
 *
 * @throws AppError UNAUTHORIZED, or FORBIDDEN for a read-only key or user.
 */
export async function authenticateSender(deps: AuthenticationDeps, asking: RequestCredentials): Promise<Principal> {
  const text = readSenderToken(asking)
  if (text.startsWith(connectorTokenPrefix)) {
    const sender = await authenticateConnectorSender(deps.connectorSenders, text, pickRequestInfo(asking))
    await checkTenantActive(deps, sender.tenant)
    return sender
  }
  if (text.startsWith(collectorCredentialPrefix)) return await authenticateCollector(deps, asking)
  if (!text.startsWith('tk_')) {
    const user = await authenticateUserToken(deps, text, asking)
    checkAccess(user, 'send_events')
    return user
  }
  const { principal, key } = await authenticateApiKey(deps, text, asking)
  checkAccess(principal, 'send_events')
  checkResource(principal, key, 'ingest')
  return principal
}

/** Authenticates a collector by its credential. @throws AppError UNAUTHORIZED, the same for every problem. */
export async function authenticateCollector(deps: AuthenticationDeps, asking: RequestCredentials): Promise<Principal> {
  const text = readBearerToken(asking)
  const isCredential = text.startsWith(collectorCredentialPrefix)
  const found = isCredential ? await deps.connectorSenders.state.collectors.find(hashToken(text)) : undefined
  if (found === undefined) throw unauthorized()
  await checkTenantActive(deps, found.tenant)
  return { ...pickRequestInfo(asking), tenant: found.tenant, actor: { type: 'collector', id: found.collector.id }, grants: [] }
}

/**
 * Authenticates a reader of the metrics: the configured bearer token or a platform operator. Tenant admins have no access,
 * because the metrics cover all tenants.
 *
 * @throws AppError UNAUTHORIZED, FORBIDDEN, RATE_LIMITED.
 */
export async function authenticateScraper(deps: AuthenticationDeps, asking: RequestCredentials): Promise<Principal> {
  if (deps.scrapeToken !== undefined && isConstantTimeEqual(readBearerToken(asking), deps.scrapeToken)) {
    return { ...pickRequestInfo(asking), tenant: onlyTenant, actor: { type: 'system', id: 'scraper' }, grants: [] }
  }
  const { caller } = await authenticateUser(deps, asking)
  checkAccess(caller, 'administer_platform')
  return caller
}

/**
 * Checks that a principal has a permission. A user who lacks a required second factor only has the own account.
 *
 * @throws RefusedPrincipalError FORBIDDEN.
 */
export function checkAccess(caller: Principal, permission: Permission): void {
  if (!isAllowed(caller.grants, permission)) throw new RefusedPrincipalError(caller, missingPermission(permission))
  if (caller.isRestricted === true && permission !== 'own_account') {
    throw new RefusedPrincipalError(caller, missingSecondFactor(caller))
  }
}

/** The error for a missing second factor; a user of an external issuer proves it there. */
function missingSecondFactor({ externalClaims }: Principal): AppError {
  const remedy = externalClaims === undefined
    ? 'add one under /v1/auth/totp'
    : "log in at your identity provider with one, so that its token states 'mfa' in 'amr'"
  return new AppError('FORBIDDEN', `a second factor is required; ${remedy}`, { needs: 'second_factor' })
}

/** The error for a missing permission. */
export function missingPermission(permission: Permission): AppError {
  return new AppError('FORBIDDEN', `this requires the permission '${permission}', which you do not have`, { permission })
}

async function authenticateUserToken({ authentication }: AuthenticationDeps, token: string,
  asking: RequestCredentials): Promise<Principal> {
  const { tenant, subject, roles, session, externalClaims, isRestricted = false } = await authenticate(authentication, token)
  return {
    ...pickRequestInfo(asking), tenant, actor: { type: 'user', id: subject }, grants: roles, isRestricted,
    ...(session && { sessionId: session.id }), ...(externalClaims && { externalClaims }),
  }
}

/** The principal of an API key, the key, and the active tenant that it belongs to. */
type ApiKeyHolder = { readonly principal: Principal; readonly key: ApiKey; readonly tenant: Pick<Tenant, 'settings'> }

/**
 * Authenticates an API key: its network and its tenant must allow it.
 *
 * @throws AppError UNAUTHORIZED, the same for every problem.
 */
export async function authenticateApiKey(deps: AuthenticationDeps, text: string, asking: RequestCredentials): Promise<ApiKeyHolder> {
  const key = await verifyApiKey(deps.apiKeys.store, text, deps.clock.now())
  const { publicId, name, scope, allowedCidrs, expiresAt: keyExpiresAt } = key
  const isHere = allowedCidrs.length === 0 || isInNetworks(allowedCidrs, asking.ip ?? '')
  if (!isHere) throw unauthorized()
  const tenant = await checkTenantActive(deps, key.tenant)
  await deps.apiKeys.recordUsage(key, asking.ip)
  const principal: Principal = {
    ...pickRequestInfo(asking), tenant: key.tenant, actor: { type: 'api_key', id: publicId }, label: `apikey:${name}`, grants: [scope],
    keyExpiresAt,
  }
  return { principal, key, tenant }
}

/** Checks that a key may use a resource. @throws RefusedPrincipalError FORBIDDEN. */
export function checkResource(caller: Principal, { resources }: Pick<ApiKey, 'resources'>, resource: string): void {
  if (resources.length === 0 || resources.includes(resource)) return
  const message = `this API key is restricted to ${resources.join(', ')}; use a key that may use ${resource}`
  throw new RefusedPrincipalError(caller, new AppError('FORBIDDEN', message, { needs: `resource ${resource}` }))
}

/** A disabled tenant is refused everything. */
export async function checkTenantActive({ authentication }: AuthenticationDeps, id: TenantId): Promise<Pick<Tenant, 'settings'>> {
  const tenant = await authentication.state.tenants.get(id)
  if (tenant?.isActive !== true) throw unauthorized()
  return tenant
}

function pickRequestInfo({ ip, userAgent, requestId }: RequestCredentials): Pick<Principal, 'ip' | 'userAgent' | 'requestId'> {
  return { ip, userAgent, requestId }
}

/** The token after `Bearer`, case-insensitive (RFC 9110). @throws AppError UNAUTHORIZED if it is missing. */
export function readBearerToken({ authorization = '' }: Pick<RequestCredentials, 'authorization'>): string {
  const [, text] = /^bearer +([^ ]+) *$/i.exec(authorization) ?? []
  if (text === undefined) throw unauthorized()
  return text
}

/**
 * The token of a sender: after `Bearer` or `Splunk`; after `ApiKey`, as it is or as the second half of what the clients of
 * Elasticsearch encode; the password of `Basic`.
 *
 * @throws AppError UNAUTHORIZED if it is missing.
 */
function readSenderToken({ authorization = '' }: Pick<RequestCredentials, 'authorization'>): string {
  const [, scheme = '', text = ''] = /^(bearer|splunk|apikey|basic) +([^ ]+) *$/i.exec(authorization) ?? []
  const isPlain = /^(?:tc|tk)_/.test(text)
  switch (scheme.toLowerCase()) {
    case 'bearer':
    case 'splunk':
      return text
    case 'apikey':
      return isPlain ? text : readPassword(text)
    case 'basic':
      return readPassword(text)
    default:
      throw unauthorized()
  }
}

/** What follows the first colon of a text in base64 (RFC 7617). */
function readPassword(encoded: string): string {
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}
