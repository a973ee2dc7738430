import type { Principal } from '@tripline/model/access/principal'
import { anonymous } from '@tripline/model/audit'
import { onlyTenant } from '@tripline/model/tenant'
import { countLoginAttempt, createWrongCredentialsError } from '../../access/login/login.ts'
import type { LinkedUser } from '../../access/login/login-link.ts'
import { openSession } from '../../access/login/session.ts'
import type { TokenPair } from '../../access/login/session.ts'
import { readSessionClient } from '../../access/login/session-client.ts'
import type { RateDecision } from '../../access/authenticate-request.ts'
import type { AuthService } from '../../access/open-auth.ts'
import { describeAuditFailure } from '../../audit/audit-aggregator.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { SessionUseCaseDeps } from './session.ts'

/** A request to log in by a link. */
type LinkLogin = {
  readonly token: string
  /** Whether the request was sent on this machine, and not by a proxy. */
  readonly isLocal: boolean
  readonly circumstances: Pick<Principal, 'ip' | 'userAgent' | 'requestId'>
  /** Called with the remaining attempts. */
  readonly onCounted: (decision: RateDecision) => void
}

/** Attempts by link count together, as those of one account do: no account has such an address. */
const countedAs = 'login link'

const method = 'link'

/**
 * Logs the user of the login link in and records it in the audit trail.
 *
 * @throws AppError UNAUTHORIZED, the same for every problem and for a wrong password; RATE_LIMITED.
 */
export async function logInByLink(deps: SessionUseCaseDeps, login: LinkLogin): Promise<TokenPair> {
  try {
    const pair = await openLinkSession(deps, login)
    const { tenant, user } = pair
    const principal: Principal = { ...login.circumstances, tenant, actor: { type: 'user', id: user.id }, grants: user.roles }
    const target = { type: 'user', id: user.id }
    await recordAudit(deps.state, principal, { at: deps.clock.now(), action: 'session.login', target, diff: { method } })
    return pair
  } catch (error) {
    const { outcome, reason } = describeAuditFailure(error)
    const isRefused = reason === 'unauthorized'
    if (isRefused) deps.metrics.monitor.failedLogins++
    deps.trail.note({
      tenant: onlyTenant, actor: anonymous, action: 'session.login', target: { type: 'user', id: 'unknown' }, outcome,
      details: { reason: isRefused ? 'wrong_link' : reason, method }, circumstances: login.circumstances, isClaimed: true,
    })
    throw error
  }
}

async function openLinkSession(
  { identity }: SessionUseCaseDeps, { token, isLocal, circumstances, onCounted }: LinkLogin,
): Promise<TokenPair> {
  onCounted(countLoginAttempt(identity, { email: countedAs, address: circumstances.ip ?? '' }))
  const linked = isLocal ? identity.loginLink.use(token) : undefined
  const pair = linked && await openUserSession(identity, linked, circumstances)
  if (pair === undefined) throw createWrongCredentialsError()
  return pair
}

/** Opens a session unless the user was disabled, or added a second factor, which a link must not go around. */
async function openUserSession(
  identity: AuthService, { tenant, userId }: LinkedUser, circumstances: LinkLogin['circumstances'],
): Promise<TokenPair | undefined> {
  const { tenants, users } = identity.state
  const [{ isActive = false } = {}, user] = await Promise.all([tenants.get(tenant), users.get(tenant, userId)])
  if (!isActive || user === undefined || !user.isActive) return undefined
  const account = await identity.state.accounts.find(user.email)
  if (account?.totpSecret !== undefined) return undefined
  return await openSession(identity, tenant, user, { client: readSessionClient(circumstances) })
}
