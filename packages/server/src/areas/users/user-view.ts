import type { UserBody } from '@tripline/contract/console/access/user'
import type { User } from '@tripline/model/access/user'
import { formatTimestamp } from '../../http/format-timestamp.ts'

/** Prints a user. */
export function printUser(user: User): UserBody {
  const { id, email, name, roles, interface: pages, isActive, externalIssuer, createdAt, updatedAt } = user
  return {
    id, email, name, roles: [...roles], interface: pages, is_active: isActive, issuer: externalIssuer ?? null,
    created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt),
  }
}
