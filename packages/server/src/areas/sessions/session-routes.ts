import {
  jwksSchema, loginBodySchema, loginLinkBodySchema, sessionListSchema, tenantSwitchSchema, tokenSchema,
} from '@tripline/contract/console/access/session'
import type { SessionListBody, TokenBody } from '@tripline/contract/console/access/session'
import { deleteCookie, getCookie } from 'hono/cookie'
import type { RateDecision } from '../../access/authenticate-request.ts'
import { getSecondFactorState } from '../../access/second-factor.ts'
import { logInByLink } from './log-in-by-link.ts'
import { endOwnSession, getPublicKeys, listOwnSessions, logIn, logOut, refresh } from './session.ts'
import type { OwnSession, SessionUseCaseDeps, TokenPair } from './session.ts'
import { switchTenant } from './switch-tenant.ts'
import { printSessionUser } from '../shared/print-session-user.ts'
import { authPath, getRefreshCookieName, setRefreshCookie } from '../shared/refresh-cookie.ts'
import { endAllSessions } from '../shared/revoke-sessions.ts'
import { isLocalRequest } from '../../http/client-address.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { readRequestInfo } from '../../http/middleware/authorize.ts'
import { setRateHeaders } from '../../http/middleware/rate-headers.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'

const path = authPath
const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

type SessionRouteDeps = SessionUseCaseDeps & {
  /** Whether the public URL uses TLS, so that cookies can be marked secure. */
  readonly isPublicOverTls: boolean
}

/** Routes for login, refresh, logout, open sessions and the public signing keys. */
export function sessionRoutes(deps: SessionRouteDeps): Route[] {
  return [
    {
      method: 'POST', path: `${path}/login`, access: 'anyone', recordsRefusals: true, summary: 'Logs in with email and password',
      body: loginBodySchema, headers: ['Set-Cookie'], optionalHeaders: rateHeaders,
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'INVALID_PARAMETER', 'RATE_LIMITED'], responses: { 200: tokenSchema },
      handle: (c) => handleLogin(deps, c),
    },
    {
      method: 'POST', path: `${path}/link`, access: 'anyone', recordsRefusals: true, summary: 'Logs in with the link of the first start',
      body: loginLinkBodySchema, headers: ['Set-Cookie'], optionalHeaders: rateHeaders,
      errors: ['UNAUTHORIZED', 'RATE_LIMITED'], responses: { 200: tokenSchema },
      handle: (c) => handleLinkLogin(deps, c),
    },
    {
      method: 'POST', path: `${path}/refresh`, access: 'anyone', summary: 'Exchanges the session cookie for a new access token',
      optionalHeaders: ['Set-Cookie'], errors: ['UNAUTHORIZED'], responses: { 200: tokenSchema, 204: null },
      handle: (c) => handleRefresh(deps, c),
    },
    {
      method: 'POST', path: `${path}/switch`, access: 'own_account', summary: 'Goes on in another tenant of your account',
      body: tenantSwitchSchema, headers: ['Set-Cookie'], errors: ['NOT_FOUND'], responses: { 200: tokenSchema },
      handle: async (c) => {
        const { tenant_id: tenant } = await readJson(c, tenantSwitchSchema)
        const refreshToken = getCookie(c, getRefreshCookieName(deps))
        return respondWithTokens(deps, c, await switchTenant(deps, getPrincipal(c), { refreshToken, tenant }))
      },
    },
    {
      method: 'POST', path: `${path}/logout`, access: 'anyone', summary: 'Ends the session of the cookie',
      headers: ['Set-Cookie'], responses: { 204: null }, handle: (c) => handleLogout(deps, c),
    },
    {
      method: 'GET', path: `${path}/sessions`, access: 'own_account', summary: 'Lists your open sessions',
      responses: { 200: sessionListSchema },
      handle: async (c) => respond(c, { sessions: (await listOwnSessions(deps, getPrincipal(c))).map(printSession) }),
    },
    {
      method: 'DELETE', path: `${path}/sessions`, access: 'own_account', summary: 'Ends all your sessions',
      errors: ['NOT_FOUND'], responses: { 204: null },
      handle: async (c) => {
        const caller = getPrincipal(c)
        await endAllSessions(deps, caller, caller.actor.id)
        return c.body(null, 204)
      },
    },
    {
      method: 'DELETE', path: `${path}/sessions/:id`, access: 'own_account', summary: 'Ends one of your sessions',
      responses: { 204: null },
      handle: async (c) => {
        await endOwnSession(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'GET', path: '/.well-known/jwks.json', access: 'anyone', summary: 'Returns the public keys that verify access tokens',
      responses: { 200: jwksSchema }, handle: (c) => respond(c, getPublicKeys(deps)),
    },
  ]
}

async function handleLogin(deps: SessionRouteDeps, c: RequestContext): Promise<Response> {
  const { email, password, new_password: newPassword, totp, tenant_id: tenant } = await readJson(c, loginBodySchema)
  const circumstances = readRequestInfo(c)
  const onCounted = (decision: RateDecision): void => setRateHeaders(c, decision, deps.clock.now())
  const { ip: address = '', userAgent } = circumstances
  const credentials = { email, password, newPassword, totp, tenant, address, userAgent, onCounted }
  return respondWithTokens(deps, c, await logIn(deps, credentials, circumstances))
}

async function handleLinkLogin(deps: SessionRouteDeps, c: RequestContext): Promise<Response> {
  const { token } = await readJson(c, loginLinkBodySchema)
  const onCounted = (decision: RateDecision): void => setRateHeaders(c, decision, deps.clock.now())
  const login = { token, isLocal: isLocalRequest(c), circumstances: readRequestInfo(c), onCounted }
  return respondWithTokens(deps, c, await logInByLink(deps, login))
}

/** A page that was never logged in asks without a cookie: no error, which browsers would print. */
async function handleRefresh(deps: SessionRouteDeps, c: RequestContext): Promise<Response> {
  const cookie = getCookie(c, getRefreshCookieName(deps))
  return cookie === undefined ? c.body(null, 204) : respondWithTokens(deps, c, await refresh(deps, cookie, readRequestInfo(c)))
}

async function handleLogout(deps: SessionRouteDeps, c: RequestContext): Promise<Response> {
  await logOut(deps, getCookie(c, getRefreshCookieName(deps)))
  deleteCookie(c, getRefreshCookieName(deps), { path, secure: deps.isPublicOverTls })
  return c.body(null, 204)
}

/** The access token is sent in the body, the refresh token in a cookie that scripts cannot read. */
async function respondWithTokens(deps: SessionRouteDeps, c: RequestContext, pair: TokenPair): Promise<Response> {
  setRefreshCookie(deps, c, pair)
  const body: TokenBody = {
    access_token: pair.accessToken, token_type: 'Bearer', expires_in: pair.expiresInSeconds,
    session_ends_at: formatTimestamp(pair.refreshUntil),
    user: printSessionUser(pair.tenant, pair.user, await getSecondFactorState(deps.identity, pair.tenant, pair.user, pair.claims)),
  }
  return respond(c, body)
}

function printSession({ id, createdAt, refreshedAt, endsAt, client, isCurrent }: OwnSession): SessionListBody['sessions'][number] {
  return {
    id, created_at: formatTimestamp(createdAt), refreshed_at: formatTimestamp(refreshedAt), ends_at: formatTimestamp(endsAt),
    address: client.address ?? null, browser: client.browser ?? null, system: client.system ?? null, is_current: isCurrent,
  }
}
