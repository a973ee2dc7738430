import { getPath } from '@tripline/common/get-path'
import type { Role } from './permission.ts'

/** A role that an external issuer can grant: any but the platform's own. */
export type TenantRole = Exclude<Role, 'operator'>

/** The claims of an external issuer's token. */
export type TokenClaims = { readonly [claim: string]: unknown }

/** One entry of a mapping: grants a role if a claim matches. */
export type RoleMappingEntry = {
  /** A claim name, or a dotted path into nested claims: `realm_access.roles`. */
  readonly claim: string
  /** `contains`: the claim is a list with the value, or the value itself. `equals`: the claim is the value. */
  readonly op: 'contains' | 'equals'
  readonly value: string
  readonly role: TenantRole
}

/**
 * Maps claims of an external issuer to the role of the first matching entry; undefined without a match. Only whole texts
 * match: `SOC-L2` does not match `SOC-L2-readonly`. Of a list at most `valuesMax` values are compared.
 */
export function mapRole(
  claims: TokenClaims, mapping: readonly RoleMappingEntry[], valuesMax: number,
): TenantRole | undefined {
  return mapping[findMappingEntry(claims, mapping, valuesMax)]?.role
}

/** The position of the first matching entry; -1 if none matches. */
export function findMappingEntry(
  claims: TokenClaims, mapping: readonly RoleMappingEntry[], valuesMax: number,
): number {
  const fits = ({ claim, op, value }: RoleMappingEntry): boolean => {
    const found = getPath(claims, claim)
    return found === value || (op === 'contains' && Array.isArray(found) && found.slice(0, valuesMax).includes(value))
  }
  return mapping.findIndex(fits)
}
