import type { Principal } from '@tripline/model/access/principal'
import { limits } from '../limits.ts'
import type { AuthenticationDeps, RequestCredentials } from './authenticate-request.ts'
import { checkTenantActive, readBearerToken } from './authenticate-request.ts'
import { hashToken, provisioningTokenPrefix } from './keys/connector-token.ts'
import { unauthorized } from './tokens/token-principal.ts'

/**
 * Authenticates an identity provider that provisions users by SCIM, by a token which opens nothing else. The token is read each
 * time, so that a revoked one is refused from the next request on.
 *
 * @throws AppError UNAUTHORIZED, the same for every problem.
 */
export async function authenticateProvisioner(deps: AuthenticationDeps, asking: RequestCredentials): Promise<Principal> {
  const { provisioning: tokens } = deps.connectorSenders.state
  const text = readBearerToken(asking)
  const found = text.startsWith(provisioningTokenPrefix) ? await tokens.findToken(hashToken(text)) : undefined
  const nowMs = deps.clock.now()
  if (found === undefined || nowMs >= found.token.expiresAt) throw unauthorized()
  const { tenant, token: { id, lastUsedAt = 0 } } = found
  await checkTenantActive(deps, tenant)
  const { ip, userAgent, requestId } = asking
  if (nowMs - lastUsedAt >= limits.admin.keyUseNotedMs) await tokens.noteTokenUse(tenant, id, { at: nowMs, ip: ip ?? '' })
  return { tenant, actor: { type: 'system', id: 'scim' }, label: `scim:${id}`, grants: [], ip, userAgent, requestId }
}
