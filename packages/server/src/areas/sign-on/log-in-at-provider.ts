import { getAddressPrefix } from '@tripline/common/address-prefix'
import { normalizeDomain } from '@tripline/common/domain-name'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { noSignOn } from '@tripline/model/access/sign-on'
import type { SignOnProtocol } from '@tripline/model/access/sign-on'
import { anonymous } from '@tripline/model/audit'
import { onlyTenant } from '@tripline/model/tenant'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { TokenPair } from '../../access/login/session.ts'
import { readSessionClient } from '../../access/login/session-client.ts'
import { RateLimiter } from '../../access/rate-limiter.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { limits } from '../../limits.ts'
import { identifyUser, leaveForProvider, logInProvenUser } from '../../sign-on/log-in-with-provider.ts'
import type { ProviderLoginDeps, ProvenUser } from '../../sign-on/log-in-with-provider.ts'
import type { ProviderAnswer } from '../../sign-on/provider-answer.ts'
import { openAttempt, takeAttempt } from '../../sign-on/sign-on-attempt.ts'
import type { SignOnAttempt } from '../../sign-on/sign-on-attempt.ts'
import { SignOnError } from '../../sign-on/sign-on-error.ts'

/** What logins at identity providers need of the server. */
export type SignOnDeps = ProviderLoginDeps & OutcomeDeps & {
  readonly state: StateStore
  readonly metrics: { readonly monitor: { failedLogins: number } }
}

export type Circumstances = Pick<Principal, 'ip' | 'userAgent' | 'requestId'>

/** Counts logins begun and ended by address. */
export function createSignOnLimiter(): RateLimiter<'address'> {
  const { windowMs, countedMax: keysMax, signOnsPerAddressMax: requestsMax } = limits.rate
  return new RateLimiter([{ kind: 'address', requestsMax, windowMs, keysMax }])
}

/** Whether login pages offer sign-on, and whether they must ask for the organization: not on a server with one tenant. */
export async function getSignOnOffer(
  { state, logins: { publicUrl } }: Pick<SignOnDeps, 'state' | 'logins'>,
): Promise<{ isAvailable: boolean; asksOrganization: boolean }> {
  if (publicUrl === '') return { isAvailable: false, asksOrganization: false }
  const tenants = await state.tenants.list()
  if (tenants.length !== 1) return { isAvailable: await state.signOn.isAnyEnabled(), asksOrganization: true }
  return { isAvailable: (await state.signOn.get(tenants[0]?.id ?? onlyTenant)).isEnabled, asksOrganization: false }
}

/**
 * Begins a login at the provider of an organization: an email address, the id of a tenant, or none on a server with one tenant. An
 * organization without sign-on is refused as one that does not exist.
 *
 * @throws SignOnError, recorded in the audit trail.
 */
export async function startLogin(
  deps: SignOnDeps, organization: string | undefined, circumstances: Circumstances,
): ReturnType<typeof leaveForProvider> {
  let tenant: TenantId | undefined
  try {
    countAttempt(deps, circumstances)
    tenant = await findTenant(deps, organization)
    if (tenant === undefined) throw new SignOnError('not_available')
    return await leaveForProvider(deps, tenant, 'login')
  } catch (error) {
    const { protocol } = tenant === undefined ? noSignOn : await deps.state.signOn.get(tenant)
    recordFailedLogin(deps, { tenant, protocol, error, circumstances })
    throw error
  }
}

/** How a login ended: with a session, or as a test, whose result the settings show. */
export type FinishedLogin = { readonly purpose: 'login'; readonly pair: TokenPair } | { readonly purpose: 'test' }

/** What a browser brings back from a provider. */
type ProviderReturn = { readonly cookie: string | undefined; readonly state: string | undefined; readonly answer: ProviderAnswer }

/** Ends a login that comes back from a provider. @throws SignOnError, recorded in the audit trail; a test records its own result. */
export async function finishLogin(
  deps: SignOnDeps, { cookie, state, answer }: ProviderReturn, circumstances: Circumstances,
): Promise<FinishedLogin> {
  try {
    countAttempt(deps, circumstances)
    const attempt = takeAttempt({ secrets: deps.identity.secrets, used: deps.logins.used, clock: deps.clock }, { cookie, state })
    if (attempt.purpose === 'test') {
      await finishTest(deps, attempt, answer, circumstances)
      return { purpose: 'test' }
    }
    const proven = { ...await identifyUser(deps, attempt, answer), client: readSessionClient(circumstances) }
    const pair = await logInProvenUser(deps, attempt, proven).catch(toSignOnError)
    const { tenant, user } = pair
    const principal: Principal = { ...circumstances, tenant, actor: { type: 'user', id: user.id }, grants: user.roles }
    const target = { type: 'user', id: user.id }
    const diff = { method: answer.protocol, issuer: attempt.issuer, roles: user.roles }
    await recordAudit(deps.state, principal, { at: deps.clock.now(), action: 'session.login', target, diff })
    return { purpose: 'login', pair }
  } catch (error) {
    // An attempt that is expired or was used before is of a tenant all the same.
    const tenant = openAttempt(deps.identity.secrets, cookie)?.tenant
    recordFailedLogin(deps, { tenant, protocol: answer.protocol, error, circumstances })
    throw error
  }
}

/** @throws SignOnError for an address with too many logins. */
export function countAttempt({ logins: { limiter }, clock }: SignOnDeps, { ip = '' }: Circumstances): void {
  const { isAllowed } = limiter.consume([{ kind: 'address', key: getAddressPrefix(ip) }], clock.elapsedMs())
  if (!isAllowed) throw new SignOnError('limited')
}

async function findTenant({ state }: SignOnDeps, organization: string | undefined): Promise<TenantId | undefined> {
  if (organization === undefined) {
    const tenants = await state.tenants.list()
    return tenants.length === 1 ? tenants[0]?.id : undefined
  }
  const text = organization.trim().toLowerCase()
  if (!text.includes('@')) return text
  const domain = normalizeDomain(text.slice(text.lastIndexOf('@') + 1))
  return domain === undefined ? undefined : await state.signOn.findTenant(domain)
}

/** The refusals of the helpers that external tokens use too, as those of a login. */
function toSignOnError(error: unknown): never {
  if (error instanceof AppError && error.code === 'FORBIDDEN') throw new SignOnError('users_full')
  if (error instanceof AppError && error.code === 'UNAUTHORIZED') throw new SignOnError('not_available')
  throw error
}

/** Stores what a test login came to; it changes no user and opens no session. */
export async function finishTest(
  deps: SignOnDeps, attempt: SignOnAttempt, answer: ProviderAnswer, circumstances: Circumstances,
): Promise<void> {
  const { tenant } = attempt
  const result = await identifyUser(deps, attempt, answer).catch((error: unknown) => {
    if (error instanceof SignOnError) return error
    throw error
  })
  const problem = result instanceof SignOnError ? result : result.roles.length === 0 ? new SignOnError('no_role') : undefined
  const user: ProvenUser | undefined = result instanceof SignOnError ? undefined : result
  const at = deps.clock.now()
  await deps.state.transaction(async (stores) => {
    const current = await stores.signOn.get(tenant)
    // The issuer was changed while the test ran: its result is of no use.
    if (current.issuer !== attempt.issuer) return
    const { profile, roles = [], claims = {} } = user ?? {}
    const lastTest = { at, problem: problem?.message, email: profile?.email, name: profile?.name, roles, claims }
    await stores.signOn.put(tenant, { ...current, lastTest }, { expectedVersion: current.version, at })
    const principal: Principal = { ...circumstances, tenant, actor: { type: 'system', id: 'sign_on' }, grants: [] }
    await recordAudit(stores, principal, {
      at, action: 'sign_on.test', target: { type: 'tenant', id: tenant }, outcome: problem === undefined ? 'success' : 'failed',
      diff: {
        method: answer.protocol, issuer: attempt.issuer, ...(problem && { reason: problem.problem }),
        ...(profile && { email: profile.email, roles }),
      },
    })
  })
}

type FailedLogin = {
  readonly tenant: TenantId | undefined
  readonly protocol: SignOnProtocol
  readonly error: unknown
  readonly circumstances: Circumstances
}

/** Records a failed login in the trail of its tenant; of one that leads to none in that of the first tenant. */
export function recordFailedLogin(
  { trail, metrics }: SignOnDeps, { tenant = onlyTenant, protocol, error, circumstances }: FailedLogin,
): void {
  metrics.monitor.failedLogins++
  const reason = error instanceof SignOnError ? error.problem : 'internal_error'
  trail.note({
    tenant, actor: anonymous, action: 'session.login', target: { type: 'user', id: 'unknown' }, outcome: 'failed',
    details: { reason, method: protocol }, circumstances, isClaimed: true,
  })
}
