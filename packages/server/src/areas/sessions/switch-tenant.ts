import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import type { Session } from '@tripline/model/access/session'
import type { TenantId } from '@tripline/model/tenant'
import { notFound, requireFound } from '@tripline/state/ports/version-conflict'
import { checkMayUsePassword } from '../../access/login/login.ts'
import { closeSession, findSession, openSession } from '../../access/login/session.ts'
import type { TokenPair } from '../../access/login/session.ts'
import { readSessionClient } from '../../access/login/session-client.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { SessionUseCaseDeps } from './session.ts'

/** How the session in the other tenant came to be, on its audit trail; which tenant it was before is not that tenant's to know. */
const method = 'switch'

/** Where to go on, and the refresh token that proves that the caller holds the session. */
type Switch = { readonly refreshToken: unknown; readonly tenant: TenantId }

/**
 * Ends the session of a login by password, and opens one in another tenant of the same account, which ends when the first would have.
 * A provider proves its users to its own tenant alone.
 *
 * @throws AppError FORBIDDEN unless the session is that of a login by password, and where the other tenant wants its own sign-on;
 *   NOT_FOUND, the same for tenants that do not exist, are disabled, or have no active user of the account.
 */
export async function switchTenant(
  deps: Pick<SessionUseCaseDeps, 'state' | 'identity' | 'clock'>, caller: Principal, { refreshToken, tenant }: Switch,
): Promise<TokenPair> {
  const { state, identity, clock } = deps
  const session = await findOwnSession(deps, caller, refreshToken)
  const { email, externalIssuer } = requireFound(await state.users.get(caller.tenant, caller.actor.id), 'user')
  if (session?.claims !== undefined || session === undefined || externalIssuer !== undefined) {
    throw new AppError('FORBIDDEN', 'only a login by password opens other tenants of the account; log in there', { needs: 'login' })
  }
  const membership = (await state.accounts.find(email))?.memberships.find((one) => one.tenant === tenant)
  const user = membership === undefined ? undefined : await state.users.get(tenant, membership.userId)
  if (user?.isActive !== true || tenant === caller.tenant) throw notFound('tenant')
  await checkMayUsePassword(identity.state.signOn, tenant, user)
  const pair = await openSession(identity, tenant, user, { createdAt: session.createdAt, client: readSessionClient(caller) })
  await closeSession(identity, caller.tenant, session.id)
  const at = clock.now()
  await recordAudit(state, caller, { at, action: 'session.end', target: { type: 'session', id: session.id }, diff: { method } })
  const { ip, userAgent, requestId } = caller
  const there: Principal = { ip, userAgent, requestId, tenant, actor: { type: 'user', id: user.id }, grants: user.roles }
  await recordAudit(state, there, { at, action: 'session.login', target: { type: 'user', id: user.id }, diff: { method } })
  return pair
}

/** The open session of the caller's token, where the refresh token is its newest; a token alone, which may be stolen, is not enough. */
async function findOwnSession(
  { identity }: Pick<SessionUseCaseDeps, 'identity'>, { tenant, sessionId }: Principal, refreshToken: unknown,
): Promise<Session | undefined> {
  const found = await findSession(identity, refreshToken)
  return found?.tenant === tenant && found.session.id === sessionId ? found.session : undefined
}
