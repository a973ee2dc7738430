import type { UserBody } from '../../contract/user.ts'
import type { User } from '../../domain/user.ts'
import { formatTimestamp } from '../format-timestamp.ts'

/** Prints a user. */
export function printUser({ id, email, name, roles, isActive, createdAt, updatedAt }: User): UserBody {
  return {
    id, email, name, roles: [...roles], is_active: isActive,
    created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt),
  }
}
