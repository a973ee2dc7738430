import { getPath } from './get-path.ts'
import type { Role } from './permission.ts'

/** A role that an external issuer may give: the platform's own is none. */
export type TenantRole = Exclude<Role, 'operator'>

/** One line of a mapping: where the claim is like this, the role is that. */
export type RoleMappingEntry = {
  /** A name, or a path with dots into nested claims: `realm_access.roles`. */
  readonly claim: string
  /** `contains`: the claim is a list that has the value, or the value itself. `equals`: the claim is the value. */
  readonly op: 'contains' | 'equals'
  readonly value: string
  readonly role: TenantRole
}

/**
 * The role that the claims of an external issuer stand for: that of the first entry that fits, undefined where
 * none does (section 5). Only text equals text, and never a part of it: `SOC-L2` is not in `SOC-L2-readonly`.
 * Of a list at most `valuesMax` are looked at.
 */
export function mapRole(
  claims: { readonly [claim: string]: unknown }, mapping: readonly RoleMappingEntry[], valuesMax: number,
): TenantRole | undefined {
  const fits = ({ claim, op, value }: RoleMappingEntry): boolean => {
    const found = getPath(claims, claim)
    return found === value || (op === 'contains' && Array.isArray(found) && found.slice(0, valuesMax).includes(value))
  }
  return mapping.find(fits)?.role
}
