import type { TenantRole, TokenClaims } from './role-mapping.ts'

/** What an identity provider speaks: OpenID Connect, or SAML 2.0 in the browser. */
export const signOnProtocols = ['oidc', 'saml'] as const
export type SignOnProtocol = (typeof signOnProtocols)[number]

/** How the users of a tenant log in at its own identity provider. */
type SignOnSettings = {
  readonly protocol: SignOnProtocol
  readonly isEnabled: boolean
  /** Whether passwords are refused, but for the account kept for emergencies. */
  readonly isEnforced: boolean
  /** The exact issuer, such as `https://login.example`: the entity id of a provider that speaks SAML; empty before it is set. */
  readonly issuer: string
  readonly clientId: string
  /** Encrypted; empty before it is set. */
  readonly clientSecret: string
  readonly scopes: readonly string[]
  /** Where a provider that speaks SAML takes requests for logins, by redirect; empty before it is set. */
  readonly loginUrl: string
  /** The certificates, in PEM, with whose keys a provider that speaks SAML signs. */
  readonly certificates: readonly string[]
  /** Domains of email addresses that lead to this tenant, in lower case; no other tenant has them. */
  readonly emailDomains: readonly string[]
  /** The admin who can still log in by password while it is enforced. */
  readonly breakGlassUserId: string | undefined
}

/** The last test login at the present provider. */
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
  protocol: 'oidc', isEnabled: false, isEnforced: false, issuer: '', clientId: '', clientSecret: '', scopes: ['openid', 'profile', 'email'],
  loginUrl: '', certificates: [], emailDomains: [], breakGlassUserId: undefined, lastTest: undefined, version: 0,
}
