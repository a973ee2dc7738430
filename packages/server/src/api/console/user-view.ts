import type { UserBody } from '../../contract/user.ts'
import type { User } from '../../domain/user.ts'
import { printInstant } from '../format-timestamp.ts'

/** A user as the console shows it. */
export function printUser({ id, email, name, roles, isActive, createdAt, updatedAt }: User): UserBody {
  return {
    id, email, name, roles: [...roles], is_active: isActive,
    created_at: printInstant(createdAt), updated_at: printInstant(updatedAt),
  }
}
