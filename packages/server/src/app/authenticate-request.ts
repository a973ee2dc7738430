import { verifyApiKey } from '../auth/api-key.ts'
import { authenticate } from '../auth/authenticate.ts'
import type { Authentication } from '../auth/authenticate.ts'
import { connectorTokenPrefix } from '../auth/connector-token.ts'
import { isConstantTimeEqual } from '../auth/constant-time-equal.ts'
import type { ApiKeys } from '../auth/ports.ts'
import { RateLimitedError, buildRateHeaders } from '../auth/rate-limiter.ts'
import type { RateDecision, RateLimiter } from '../auth/rate-limiter.ts'
import { unauthorized } from '../auth/token-principal.ts'
import { AppError } from '../domain/app-error.ts'
import { isInNetworks } from '../domain/network.ts'
import { isAllowed } from '../domain/permission.ts'
import type { Permission } from '../domain/permission.ts'
import type { Principal } from '../domain/principal.ts'
import { onlyTenant } from '../domain/tenant.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Runtime } from '../runtime.ts'
import { authenticateConnectorSender } from './connector-sender.ts'
import type { ConnectorSenderDeps } from './connector-sender.ts'
import type { RecordKeyUsage } from './record-key-usage.ts'

export { RateLimitedError, buildRateHeaders }
export type { RateDecision }

/** What it takes to know who asks. */
export type AuthenticationDeps = ConnectorSenderDeps & {
  readonly authentication: Authentication
  readonly apiKeys: ApiKeys
  readonly recordKeyUsage: RecordKeyUsage
  readonly limiter: RateLimiter<'user' | 'tenant'>
  /** What monitoring shows as a bearer token; undefined where only those who run the platform may read all metrics. */
  readonly scrapeToken: string | undefined
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
}

/** What a request says of itself. */
export type RequestCredentials = Pick<Principal, 'ip' | 'userAgent' | 'requestId'> & {
  /** The header, as it came. */
  readonly authorization: string | undefined
}

/**
 * Tells which user asks, and counts the request (D-29). API keys open no door of the console (D-80).
 *
 * @throws AppError UNAUTHORIZED, RATE_LIMITED.
 */
export async function authenticateUser(app: AuthenticationDeps,
  asking: RequestCredentials): Promise<{ readonly caller: Principal; readonly rate: RateDecision }> {
  const caller = await authenticateUserToken(app, readBearerToken(asking), asking)
  return { caller, rate: countRequest(app, { tenant: caller.tenant, user: caller.actor.id }) }
}

/** Counts a request of a user of the console (D-29). @throws AppError RATE_LIMITED. */
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
 * Tells who sends events: whoever has the token of a connector, a key that may write, or a user who may edit
 * connectors. Senders are not counted by requests (D-82).
 *
 * @throws AppError UNAUTHORIZED, or FORBIDDEN for a key or user that may only read.
 */
export async function authenticateSender(app: AuthenticationDeps, asking: RequestCredentials): Promise<Principal> {
  const text = readBearerToken(asking)
  if (text.startsWith(connectorTokenPrefix)) {
    const sender = await authenticateConnectorSender(app, text, pickRequestInfo(asking))
    await checkTenantActive(app, sender.tenant)
    return sender
  }
  const caller = text.startsWith('tk_') ? await authenticateApiKey(app, text, asking) : await authenticateUserToken(app, text, asking)
  if (isAllowed(caller.grants, 'send_events')) return caller
  throw missingPermission('send_events')
}

/**
 * Tells who reads the metrics of the installation: whoever shows the secret of the settings, or a user who runs the
 * platform. It sees numbers of all tenants, so no tenant's own administrator is let in.
 *
 * @throws AppError UNAUTHORIZED, FORBIDDEN, RATE_LIMITED.
 */
export async function authenticateScraper(app: AuthenticationDeps, asking: RequestCredentials): Promise<Principal> {
  if (app.scrapeToken !== undefined && isConstantTimeEqual(readBearerToken(asking), app.scrapeToken)) {
    return { ...pickRequestInfo(asking), tenant: onlyTenant, actor: { type: 'system', id: 'scraper' }, grants: [] }
  }
  const { caller } = await authenticateUser(app, asking)
  if (isAllowed(caller.grants, 'administer_platform')) return caller
  throw missingPermission('administer_platform')
}

/** What somebody is told who may not do what they ask for. */
export function missingPermission(permission: Permission): AppError {
  return new AppError('FORBIDDEN', `this requires the permission '${permission}', which you do not have`, { permission })
}

async function authenticateUserToken({ authentication }: AuthenticationDeps, token: string,
  asking: RequestCredentials): Promise<Principal> {
  const { tenant, subject, roles } = await authenticate(authentication, token)
  return { ...pickRequestInfo(asking), tenant, actor: { type: 'user', id: subject }, grants: roles }
}

async function authenticateApiKey(app: AuthenticationDeps, text: string, asking: RequestCredentials): Promise<Principal> {
  const key = await verifyApiKey(app.apiKeys, text, app.clock.now())
  const { tenant, publicId, scope, allowedCidrs } = key
  const isHere = allowedCidrs.length === 0 || isInNetworks(allowedCidrs, asking.ip ?? '')
  if (!isHere) throw unauthorized()
  await checkTenantActive(app, tenant)
  await app.recordKeyUsage(key, asking.ip)
  return { ...pickRequestInfo(asking), tenant, actor: { type: 'api_key', id: publicId }, grants: [scope] }
}

/** Nobody sends to a tenant that is switched off. */
async function checkTenantActive({ authentication }: AuthenticationDeps, tenant: TenantId): Promise<void> {
  if ((await authentication.tenants.get(tenant))?.isActive !== true) throw unauthorized()
}

function pickRequestInfo({ ip, userAgent, requestId }: RequestCredentials): Pick<Principal, 'ip' | 'userAgent' | 'requestId'> {
  return { ip, userAgent, requestId }
}

/** What follows `Bearer`, whose case means nothing (RFC 9110). @throws AppError UNAUTHORIZED where it is not there. */
export function readBearerToken({ authorization = '' }: Pick<RequestCredentials, 'authorization'>): string {
  const [, text] = /^bearer +([^ ]+) *$/i.exec(authorization) ?? []
  if (text === undefined) throw unauthorized()
  return text
}
