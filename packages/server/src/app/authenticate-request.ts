import { verifyApiKey } from '../auth/api-key.ts'
import { authenticate } from '../auth/authenticate.ts'
import type { Authentication } from '../auth/authenticate.ts'
import { connectorTokenMark } from '../auth/connector-token.ts'
import { isSameSecret } from '../auth/constant-time-equal.ts'
import type { ApiKeys } from '../auth/ports.ts'
import { RateLimitedError, rateHeaders } from '../auth/rate-limiter.ts'
import type { RateDecision, RateLimiter } from '../auth/rate-limiter.ts'
import { unauthorized } from '../auth/token-principal.ts'
import { AppError } from '../domain/app-error.ts'
import { isInNetworks } from '../domain/network.ts'
import { isAllowed } from '../domain/permission.ts'
import type { Action } from '../domain/permission.ts'
import type { Caller } from '../domain/principal.ts'
import { onlyTenant } from '../domain/tenant.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Io } from '../runtime.ts'
import { senderToConnector } from './connector-sender.ts'
import type { ConnectorSendersApp } from './connector-sender.ts'
import type { NoteKeyUse } from './record-key-usage.ts'

export { RateLimitedError, rateHeaders }
export type { RateDecision }

/** What it takes to know who asks. */
export type WhoAsksApp = ConnectorSendersApp & {
  readonly authentication: Authentication
  readonly apiKeys: ApiKeys
  readonly noteKeyUse: NoteKeyUse
  readonly limiter: RateLimiter<'user' | 'tenant'>
  /** What monitoring shows as a bearer token; undefined where only those who run the platform may read all metrics. */
  readonly scrapeToken: string | undefined
  readonly clock: Pick<Io, 'now' | 'elapsedMs'>
}

/** What a request says of itself. */
export type Asking = Pick<Caller, 'ip' | 'userAgent' | 'requestId'> & {
  /** The header, as it came. */
  readonly authorization: string | undefined
}

/**
 * Tells which user asks, and counts the request (D-29). API keys open no door of the console (D-80).
 *
 * @throws AppError UNAUTHORIZED, RATE_LIMITED.
 */
export async function userOf(app: WhoAsksApp, asking: Asking): Promise<{ readonly caller: Caller; readonly rate: RateDecision }> {
  const caller = await userOfToken(app, bearerOf(asking), asking)
  return { caller, rate: countRequest(app, { tenant: caller.tenant, user: caller.actor.id }) }
}

/** Counts a request of a user of the console (D-29). @throws AppError RATE_LIMITED. */
export function countRequest(
  { limiter, clock }: Pick<WhoAsksApp, 'limiter' | 'clock'>,
  { tenant, user }: { readonly tenant: TenantId; readonly user: string },
): RateDecision {
  const key = JSON.stringify([tenant, user])
  const rate = limiter.take([{ kind: 'user', key }, { kind: 'tenant', key: tenant }], clock.elapsedMs())
  if (!rate.isAllowed) throw new RateLimitedError(rate)
  return rate
}

/**
 * Tells who sends events: whoever has the token of a connector, a key that may write, or a user who may edit
 * connectors. Senders are not counted by requests (D-82).
 *
 * @throws AppError UNAUTHORIZED, or FORBIDDEN for a key or user that may only read.
 */
export async function senderOf(app: WhoAsksApp, asking: Asking): Promise<Caller> {
  const text = bearerOf(asking)
  if (text.startsWith(connectorTokenMark)) {
    const sender = await senderToConnector(app, text, circumstancesOf(asking))
    await checkTenant(app, sender.tenant)
    return sender
  }
  const caller = text.startsWith('tk_') ? await programOfKey(app, text, asking) : await userOfToken(app, text, asking)
  if (isAllowed(caller.grants, 'send_events')) return caller
  throw lacksPermission('send_events')
}

/**
 * Tells who reads the metrics of the installation: whoever shows the secret of the settings, or a user who runs the
 * platform. It sees numbers of all tenants, so no tenant's own administrator is let in.
 *
 * @throws AppError UNAUTHORIZED, FORBIDDEN, RATE_LIMITED.
 */
export async function scraperOf(app: WhoAsksApp, asking: Asking): Promise<Caller> {
  if (app.scrapeToken !== undefined && isSameSecret(bearerOf(asking), app.scrapeToken)) {
    return { ...circumstancesOf(asking), tenant: onlyTenant, actor: { type: 'system', id: 'scraper' }, grants: [] }
  }
  const { caller } = await userOf(app, asking)
  if (isAllowed(caller.grants, 'administer_platform')) return caller
  throw lacksPermission('administer_platform')
}

/** What somebody is told who may not do what they ask for. */
export function lacksPermission(permission: Action): AppError {
  return new AppError('FORBIDDEN', `this takes the permission '${permission}', which you do not have`, { permission })
}

async function userOfToken({ authentication }: WhoAsksApp, token: string, asking: Asking): Promise<Caller> {
  const { tenant, subject, roles } = await authenticate(authentication, token)
  return { ...circumstancesOf(asking), tenant, actor: { type: 'user', id: subject }, grants: roles }
}

async function programOfKey(app: WhoAsksApp, text: string, asking: Asking): Promise<Caller> {
  const key = await verifyApiKey(app.apiKeys, text, app.clock.now())
  const { tenant, publicId, scope, allowedCidrs } = key
  const isHere = allowedCidrs.length === 0 || isInNetworks(allowedCidrs, asking.ip ?? '')
  if (!isHere) throw unauthorized()
  await checkTenant(app, tenant)
  await app.noteKeyUse(key, asking.ip)
  return { ...circumstancesOf(asking), tenant, actor: { type: 'api_key', id: publicId }, grants: [scope] }
}

/** Nobody sends to a tenant that is switched off. */
async function checkTenant({ authentication }: WhoAsksApp, tenant: TenantId): Promise<void> {
  if ((await authentication.tenants.get(tenant))?.isActive !== true) throw unauthorized()
}

function circumstancesOf({ ip, userAgent, requestId }: Asking): Pick<Caller, 'ip' | 'userAgent' | 'requestId'> {
  return { ip, userAgent, requestId }
}

/** What follows `Bearer`, whose case means nothing (RFC 9110). @throws AppError UNAUTHORIZED where it is not there. */
export function bearerOf({ authorization = '' }: Pick<Asking, 'authorization'>): string {
  const [, text] = /^bearer +([^ ]+) *$/i.exec(authorization) ?? []
  if (text === undefined) throw unauthorized()
  return text
}
