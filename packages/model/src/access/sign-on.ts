import type { TenantRole, TokenClaims } from './role-mapping.ts'

/** How the users of a tenant log in at its own identity provider, by OpenID Connect. */
type SignOnSettings = {
  readonly isEnabled: boolean
  /** Whether passwords are refused, but for the account kept for emergencies. */
  readonly isEnforced: boolean
  /** The exact issuer, such as `https://login.example`; empty before it is set. */
  readonly issuer: string
  readonly clientId: string
  /** Encrypted; empty before it is set. */
  readonly clientSecret: string
  readonly scopes: readonly string[]
  /** Domains of email addresses that lead to this tenant, in lower case; no other tenant has them. */
  readonly emailDomains: readonly string[]
  /** The admin who can still log in by password while it is enforced. */
  readonly breakGlassUserId: string | undefined
}

/** The last test login with the present issuer and client. */
export type SignOnTest = {
  readonly at: number
  /** Why it failed; undefined if it would have logged in. */
  readonly problem: string | undefined
  readonly email: string | undefined
  readonly name: string | undefined
  readonly roles: readonly TenantRole[]
  readonly claims: TokenClaims
}

export type SignOn = SignOnSettings & {
  readonly lastTest: SignOnTest | undefined
  /** Counts changes, from 1; 0 where nothing is stored. */
  readonly version: number
}

/** What a tenant has that stored nothing. */
export const noSignOn: SignOn = {
  isEnabled: false, isEnforced: false, issuer: '', clientId: '', clientSecret: '', scopes: ['openid', 'profile', 'email'], emailDomains: [],
  breakGlassUserId: undefined, lastTest: undefined, version: 0,
}
