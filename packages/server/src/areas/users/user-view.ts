import type { UserBody } from '@tripline/contract/console/user'
import type { User } from '@tripline/model/access/user'
import { formatTimestamp } from '../../http/format-timestamp.ts'

/** Prints a user. */
export function printUser({ id, email, name, roles, isActive, externalIssuer, createdAt, updatedAt }: User): UserBody {
  return {
    id, email, name, roles: [...roles], is_active: isActive, issuer: externalIssuer ?? null,
    created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt),
  }
}
