import type { SessionUserBody } from '@tripline/contract/console/access/session'
import type { User } from '@tripline/model/access/user'
import type { TenantId } from '@tripline/model/tenant'
import type { SecondFactorState } from '../../access/second-factor.ts'

/** Prints a user as logins and the own profile show it. */
export function printSessionUser(
  tenant: TenantId, { id, email, name, roles, interface: pages }: User, { hasSecondFactor, needsSecondFactor }: SecondFactorState,
): SessionUserBody {
  return {
    id, tenant_id: tenant, email, name, roles: [...roles], interface: pages,
    has_second_factor: hasSecondFactor, needs_second_factor: needsSecondFactor,
  }
}
