import type { ApiKey } from '@tripline/model/access/api-key'
import type { Principal } from '@tripline/model/access/principal'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import { authenticateApiKey, readBearerToken } from './authenticate-request.ts'
import type { AuthenticationDeps, RequestCredentials } from './authenticate-request.ts'
import { getAddressPrefix } from '@tripline/common/address-prefix'
import { MinuteWindows } from './minute-windows.ts'
import type { RateDecision } from './rate-limiter.ts'
import { limits } from '../limits.ts'

/** A program that uses the public API: its key, and the settings of its tenant. */
export type Integration = {
  readonly principal: Principal
  readonly key: ApiKey
  readonly settings: TenantSettings
}

/** Counts the requests of programs by tenant and key, and those without a valid key by address. */
type IntegrationWindows = { readonly keys: MinuteWindows; readonly addresses: MinuteWindows }

/** What the public API needs to authenticate and count requests. */
export type IntegrationDeps = {
  readonly authentication: AuthenticationDeps
  readonly windows: IntegrationWindows
  /** Settings of tenants that do not set their own. */
  readonly settingDefaults: TenantSettings
}

export function createIntegrationWindows(): IntegrationWindows {
  // Stored keys bound the first; anyone may have many addresses.
  return {
    keys: new MinuteWindows({ namesMax: Number.POSITIVE_INFINITY }), addresses: new MinuteWindows({ namesMax: limits.rate.countedMax }),
  }
}

/**
 * Authenticates an API key. Console tokens open nothing here. Key and tenant are read each time, so that a revocation and a
 * change of plan hold from the next request on.
 *
 * @throws AppError UNAUTHORIZED, the same for every problem.
 */
export async function authenticateIntegration(deps: IntegrationDeps, asking: RequestCredentials): Promise<Integration> {
  const { principal, key, tenant } = await authenticateApiKey(deps.authentication, readBearerToken(asking), asking)
  return { principal, key, settings: resolveSettings(tenant, deps.settingDefaults) }
}

/** Requests per minute of each plan; `custom` has the number that the tenant's settings state. */
const planRequestsMax = {
  free: limits.rate.freePlanRequestsMax, mdr: limits.rate.mdrPlanRequestsMax, pro: limits.rate.proPlanRequestsMax,
} as const

/** Counts a request of a program: against the plan of its tenant, and a lower limit of its key. */
export function countIntegrationRequest(
  { windows, authentication: { clock } }: IntegrationDeps, { principal, key, settings }: Integration,
): RateDecision {
  const { tenant } = principal
  const { plan, apiRequestsPerMinute } = settings
  const limit = plan === 'custom' ? apiRequestsPerMinute : planRequestsMax[plan]
  const ofTenant = { name: JSON.stringify([tenant]), limit }
  const ofKey = { name: JSON.stringify([tenant, key.publicId]), limit: Math.min(limit, key.requestsPerMinute ?? limit) }
  return windows.keys.consume(key.requestsPerMinute === undefined ? [ofTenant] : [ofTenant, ofKey], clock.now())
}

/** Counts a request without a valid key, by its address. */
export function countAddressRequest({ windows, authentication: { clock } }: IntegrationDeps, address: string | undefined): RateDecision {
  const { unauthenticatedRequestsMax: limit } = limits.rate
  return windows.addresses.consume([{ name: getAddressPrefix(address ?? ''), limit }], clock.now())
}
