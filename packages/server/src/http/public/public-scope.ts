import { AppError } from '@tripline/contract/app-error'
import type { MiddlewareHandler } from 'hono'
import type { Profile } from '@tripline/contract/public/profile'
import {
  authenticateIntegration, countAddressRequest, countIntegrationRequest,
} from '../../access/authenticate-integration.ts'
import type { Integration, IntegrationDeps } from '../../access/authenticate-integration.ts'
import { RateLimitedError } from '../../access/authenticate-request.ts'
import type { RateDecision } from '../../access/authenticate-request.ts'
import { expiresSoon } from '../expires-soon.ts'
import { formatTimestamp } from '../format-timestamp.ts'
import { readRequestInfo } from '../middleware/authorize.ts'
import { setRateHeaders } from '../middleware/rate-headers.ts'
import type { Env, RequestContext } from '../route.ts'
import { findPublishedProfile, profileDefault, readStatedProfile, refuseProfile } from './choose-profile.ts'
import { publicBase } from './public-handler.ts'

/**
 * Surrounds every request of the public API, also those to paths that do not exist: chooses the profile, authenticates the
 * key, counts the request against the plan or the address, and sets the headers that all responses have. Paths in `open`
 * need no key and count by address.
 */
export function publicScope(deps: IntegrationDeps, open: ReadonlySet<string>): MiddlewareHandler<Env> {
  return async (c, next) => {
    const path = c.req.path.slice(publicBase.length)
    const published = findPublishedProfile(c.req.method, path)
    const stated = readStatedProfile(c)
    c.header('Vary', 'X-API-Profile, Accept', { append: true })
    setProfile(c, stated.profile ?? published ?? profileDefault)
    const integration = open.has(path) ? undefined : await authenticate(deps, c)
    if (integration !== undefined) {
      const { apiProfile } = integration.key
      const own = apiProfile === 'auto' ? undefined : apiProfile
      setProfile(c, stated.profile ?? own ?? published ?? integration.settings.defaultApiProfile)
      c.set('caller', integration.principal)
      c.set('apiKey', integration.key)
    }
    const rate = integration === undefined ? countAddressRequest(deps, c.get('address')) : countIntegrationRequest(deps, integration)
    enforce(deps, c, rate)
    if (stated.wrong !== undefined) refuseProfile(stated.wrong)
    await next()
  }
}

/** Authenticates a key; a request without a valid one counts by its address. */
async function authenticate(deps: IntegrationDeps, c: RequestContext): Promise<Integration> {
  try {
    const integration = await authenticateIntegration(deps, { ...readRequestInfo(c), authorization: c.req.header('authorization') })
    const { expiresAt } = integration.key
    if (expiresSoon(expiresAt, deps.authentication.clock.now())) c.header('X-API-Key-Expires', formatTimestamp(expiresAt) ?? '')
    return integration
  } catch (error) {
    enforce(deps, c, countAddressRequest(deps, c.get('address')))
    throw error instanceof AppError && error.code === 'UNAUTHORIZED' ? refuseKey() : error
  }
}

/** One sentence for every problem of a key: a reason would only help an attacker. */
function refuseKey(): AppError {
  return new AppError('UNAUTHORIZED', "the API key is missing or not valid; send 'Authorization: Bearer <API key>'")
}

function enforce(deps: IntegrationDeps, c: RequestContext, rate: RateDecision): void {
  setRateHeaders(c, rate, deps.authentication.clock.now())
  if (!rate.isAllowed) throw new RateLimitedError(rate)
}

function setProfile(c: RequestContext, profile: Profile): void {
  c.set('profile', profile)
  c.header('X-API-Profile', profile.toUpperCase())
}
