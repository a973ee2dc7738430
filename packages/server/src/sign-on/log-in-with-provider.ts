import type { Runtime } from '@tripline/common/runtime'
import { mapRole } from '@tripline/model/access/role-mapping'
import type { TenantRole, TokenClaims } from '@tripline/model/access/role-mapping'
import type { SessionClient } from '@tripline/model/access/session'
import type { SignOn } from '@tripline/model/access/sign-on'
import { deriveExternalUserId } from '@tripline/model/ids'
import type { ProvisionedUser } from '@tripline/model/access/provisioning'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import { openSession } from '../access/login/session.ts'
import type { TokenPair } from '../access/login/session.ts'
import type { AuthService } from '../access/open-auth.ts'
import type { RateLimiter } from '../access/rate-limiter.ts'
import { readProfile } from '../access/tokens/read-profile.ts'
import type { ExternalPrincipal } from '../access/tokens/token-principal.ts'
import type { Egress } from '../egress/egress.ts'
import { limits } from '../limits.ts'
import { findStatedRole } from '../scim/find-stated-role.ts'
import { buildLoginUrl, redeemCode } from './oidc-provider.ts'
import type { OidcClient } from './oidc-provider.ts'
import type { ProviderAnswer, ReceivedAnswers } from './provider-answer.ts'
import { admitProvisionedUser, findProvisionedUser } from './provisioned-login.ts'
import { buildSamlLoginUrl } from './saml-provider.ts'
import type { SamlClient, ServiceProvider } from './saml-provider.ts'
import type { SamlVerifier } from './saml-verifier.ts'
import { sealAttempt } from './sign-on-attempt.ts'
import type { SignOnAttempt, UsedAttempts } from './sign-on-attempt.ts'
import { SignOnError } from './sign-on-error.ts'

/** What all logins at identity providers share. */
type ProviderLogins = {
  readonly egress: Egress
  /** The public URL of the server; empty without one, and then there is no sign-on. */
  readonly publicUrl: string
  /** Whether the public URL uses TLS, so that cookies can be marked secure. */
  readonly isPublicOverTls: boolean
  readonly used: UsedAttempts
  readonly answers: ReceivedAnswers
  readonly verifier: Pick<SamlVerifier, 'verify' | 'prepare'>
  readonly limiter: RateLimiter<'address'>
  readonly randomBytes: Runtime['randomBytes']
}

/** What a login at an identity provider needs of the server. */
export type ProviderLoginDeps = {
  readonly state: Pick<StateStore, 'tenants' | 'users' | 'signOn' | 'provisioning' | 'transaction'>
  readonly identity: AuthService
  readonly logins: ProviderLogins
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
}

/** The path to which providers send users back. */
export const callbackPath = '/v1/auth/oidc/callback'
/** Below it are the metadata of each tenant, and the address to which its provider sends assertions. */
export const samlPath = '/v1/auth/saml'

/** A login on its way: where the browser goes, and the cookie that it keeps meanwhile. */
type Departure = { readonly url: string; readonly cookie: string }

/** Begins a login at the provider of a tenant. @throws SignOnError. */
export async function leaveForProvider(deps: ProviderLoginDeps, tenant: TenantId, purpose: SignOnAttempt['purpose']): Promise<Departure> {
  const client = await openClient(deps, tenant, purpose)
  const createText = (): string => Buffer.from(deps.logins.randomBytes(limits.signOn.randomBytes)).toString('base64url')
  const attempt: SignOnAttempt = {
    tenant, purpose, issuer: client.issuer, state: createText(), nonce: createText(), verifier: createText(), startedAt: deps.clock.now(),
  }
  if ('loginUrl' in client) deps.logins.verifier.prepare()
  const url = await ('loginUrl' in client ? buildSamlLoginUrl(client, attempt) : buildLoginUrl(client, attempt))
  return { url: url.href, cookie: sealAttempt(deps.identity.secrets, attempt) }
}

/** A user as the identity provider states them, with the roles that the tenant's mapping gives. */
export type ProvenUser = {
  readonly subject: string
  readonly profile: ExternalPrincipal['profile']
  readonly roles: readonly TenantRole[]
  readonly claims: TokenClaims
  /** The user whom the provider stated by SCIM; undefined for one who came by no SCIM. */
  readonly stated: ProvisionedUser | undefined
}

/** Finds out who came back from the provider. @throws SignOnError. */
export async function identifyUser(deps: ProviderLoginDeps, attempt: SignOnAttempt, answer: ProviderAnswer): Promise<ProvenUser> {
  const client = await openClient(deps, attempt.tenant, attempt.purpose)
  // The provider was replaced meanwhile: a code of the one is not shown to the other.
  if (client.issuer !== attempt.issuer) throw new SignOnError('not_started')
  const claims = await proveClaims(client, attempt, answer)
  const subject = claims['sub']
  if (typeof subject !== 'string' || subject.length > limits.auth.tokenIdLengthMax) {
    throw new SignOnError('provider_unusable', 'the subject is too long')
  }
  const { tenant } = attempt
  const { roleMapping } = resolveSettings((await deps.state.tenants.get(tenant)) ?? { settings: {} })
  const stated = await findProvisionedUser(deps.state, tenant, { loginId: deriveExternalUserId(attempt.issuer, subject), subject, claims })
  // What came by SCIM counts first; where it gives no role, what came with the login does.
  const statedRole = stated && await findStatedRole(deps.state, tenant, stated)
  const role = statedRole ?? mapRole(claims, roleMapping, limits.auth.claimValuesMax)
  return { subject, profile: readProfile(claims, subject), roles: role === undefined ? [] : [role], claims, stated }
}

/** Logs a user in who was identified: adds or updates the user, and opens a session. @throws SignOnError. */
export async function logInProvenUser(
  { state, identity, clock }: ProviderLoginDeps, { tenant, issuer }: SignOnAttempt,
  { subject, profile, roles, claims, stated, client }: ProvenUser & { readonly client: SessionClient },
): Promise<TokenPair> {
  const at = clock.now()
  if (stated !== undefined) {
    const login = { stated, loginId: deriveExternalUserId(issuer, subject), roles }
    return await openSession(identity, tenant, await admitProvisionedUser(state, tenant, login, at), { claims, client })
  }
  if (roles.length === 0) throw new SignOnError('no_role')
  const principal = { tenant, subject, roles, profile, issuedAt: at, expiresAt: at, session: undefined, externalClaims: claims }
  const { id } = await identity.externalUsers.provision(issuer, principal)
  const user = await state.users.get(tenant, id)
  if (user?.isActive !== true) throw new SignOnError('user_disabled')
  return await openSession(identity, tenant, user, { claims, client })
}

/** The claims of the user who comes back, for the provider of the attempt and for its tenant. */
async function proveClaims(client: OidcClient | SamlClient, attempt: SignOnAttempt, answer: ProviderAnswer): Promise<TokenClaims> {
  if (answer.protocol === 'oidc') {
    if ('loginUrl' in client) throw new SignOnError('not_started')
    return await redeemCode(client, answer.query, attempt)
  }
  const { tenant, outcome } = answer
  if (outcome instanceof SignOnError) throw outcome
  if (tenant !== attempt.tenant || outcome.issuer !== attempt.issuer || !('loginUrl' in client)) throw new SignOnError('not_started')
  return outcome.claims
}

/** The provider of a tenant that speaks SAML, enabled or not: whether it is a test shows when the browser's cookie is there. */
export async function openSamlClient(deps: ProviderLoginDeps, tenant: TenantId): Promise<SamlClient> {
  const client = await openClient(deps, tenant, 'test')
  if ('loginUrl' in client) return client
  throw new SignOnError('not_available')
}

async function openClient(
  { state, identity, logins: { egress, publicUrl } }: ProviderLoginDeps, tenant: TenantId, purpose: SignOnAttempt['purpose'],
): Promise<OidcClient | SamlClient> {
  const [{ isActive = false, settings = {} } = {}, signOn] = await Promise.all([state.tenants.get(tenant), state.signOn.get(tenant)])
  const isUsable = isActive && publicUrl !== '' && isComplete(signOn) && (signOn.isEnabled || purpose === 'test')
  if (!isUsable) throw new SignOnError('not_available')
  const { protocol, issuer, clientId, clientSecret, scopes, loginUrl, certificates } = signOn
  if (protocol === 'saml') return { ...getServiceProvider(publicUrl, tenant), issuer, loginUrl, certificates }
  const { egressAllowCidrs } = resolveSettings({ settings })
  return {
    issuer, clientId, scopes, redirectUri: getRedirectUri(publicUrl),
    clientSecret: identity.secrets.open(getClientSecretContext(tenant), clientSecret),
    egress: (request) => egress({ ...request, extraCidrs: egressAllowCidrs }),
  }
}

/** Whether there is all that a login needs. */
export function isComplete({ protocol, issuer, clientId, clientSecret, loginUrl, certificates }: SignOn): boolean {
  if (issuer === '') return false
  return protocol === 'saml' ? loginUrl !== '' && certificates.length > 0 : clientId !== '' && clientSecret !== ''
}

/** What is registered at the provider as the address of this server. */
export function getRedirectUri(publicUrl: string): string {
  return `${publicUrl.replace(/\/$/, '')}${callbackPath}`
}

/** What is registered at a provider that speaks SAML: each tenant is a service provider of its own. */
export function getServiceProvider(publicUrl: string, tenant: TenantId): ServiceProvider {
  const base = `${publicUrl.replace(/\/$/, '')}${samlPath}/${encodeURIComponent(tenant)}`
  return { entityId: `${base}/metadata`, acsUrl: `${base}/acs` }
}

/** The context in which a tenant's client secret is encrypted. */
export function getClientSecretContext(tenant: TenantId): { readonly tenant: TenantId; readonly owner: string; readonly key: string } {
  return { tenant, owner: 'sign_on', key: 'client_secret' }
}
