import type { SignOn } from '@tripline/model/access/sign-on'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'

/** An assertion of a provider that speaks SAML: the hash of its id. */
type UsedAssertion = { readonly hash: string; readonly expiresAt: number }

/** Stores how the users of each tenant log in at its identity provider. */
export type SignOnStore = {
  /** `noSignOn` where nothing is stored. */
  readonly get: (tenant: TenantId) => Promise<SignOn>
  /** The tenant to which a domain of email addresses leads. It is found before the tenant is known. */
  readonly findTenant: (domain: string) => Promise<TenantId | undefined>
  /** Whether any tenant has sign-on: login pages ask before the tenant is known. */
  readonly isAnyEnabled: () => Promise<boolean>
  /** Replaces all of it; `taken` if another tenant has one of the domains. */
  readonly put: (
    tenant: TenantId, signOn: Omit<SignOn, 'version'>, terms: ChangeTerms,
  ) => Promise<ChangeResult<SignOn> | { readonly outcome: 'taken' }>
  /** Remembers that an assertion was used, until it would be refused as too old; false if it was used before. */
  readonly useAssertion: (tenant: TenantId, assertion: UsedAssertion, at: number) => Promise<boolean>
}
