import { createBodyError } from '@tripline/contract/app-error'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'

/**
 * Resolves an assignee to the email address as the user's record has it; null removes one, undefined keeps it.
 *
 * @throws AppError INVALID_BODY unless it is an active user of the tenant.
 */
export async function resolveAssignee(
  { users }: { readonly users: Pick<Stores['users'], 'findByEmail'> }, tenant: TenantId, email: string | null | undefined,
): Promise<{ readonly assignee?: string | null }> {
  if (email === undefined || email === null) return email === undefined ? {} : { assignee: null }
  const user = await users.findByEmail(tenant, email)
  if (user?.isActive === true) return { assignee: user.email }
  const message = 'must be the email of an active user'
  throw createBodyError('assignee', message)
}
