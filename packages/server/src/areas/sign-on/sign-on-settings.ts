import { normalizeDomain } from '@tripline/common/domain-name'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import type { SignOn } from '@tripline/model/access/sign-on'
import type { User } from '@tripline/model/access/user'
import type { TenantId } from '@tripline/model/tenant'
import type { Stores } from '@tripline/state/ports/state-store'
import { checkVersion, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'
import { getClientSecretContext, isComplete, leaveForProvider } from '../../sign-on/log-in-with-provider.ts'
import { listFingerprints, normalizeCertificate } from '../../sign-on/provider-certificate.ts'
import { SignOnError } from '../../sign-on/sign-on-error.ts'
import type { SignOnDeps } from './log-in-at-provider.ts'

/** What an admin sets; what is absent is kept. */
export type WantedSignOn = Omit<SignOn, 'clientSecret' | 'lastTest' | 'version' | 'scopes' | 'loginUrl' | 'certificates'> & {
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[] | undefined
  readonly loginUrl: string | undefined
  readonly certificates: readonly string[] | undefined
}

/** Gets how the principal's tenant logs in at its identity provider. */
export function getSignOn({ state }: Pick<SignOnDeps, 'state'>, { tenant }: Principal): Promise<SignOn> {
  return state.signOn.get(tenant)
}

/**
 * Replaces how the principal's tenant logs in. It can be enforced after a test login that succeeded, with an admin who can still
 * log in by password; the sessions of all other users with a password end then.
 *
 * @throws AppError INVALID_PARAMETER for what cannot be right, CONFLICT for what must be done first and for a domain of another
 *   tenant, PRECONDITION_FAILED for an unexpected version.
 */
export async function putSignOn(
  deps: SignOnDeps, caller: Principal, { wanted, versions }: { readonly wanted: WantedSignOn; readonly versions: ExpectedVersions },
): Promise<SignOn> {
  const { tenant } = caller
  const at = deps.clock.now()
  const { signOn, ended } = await deps.state.transaction(async (stores) => {
    const before = await stores.signOn.get(tenant)
    checkVersion(before, versions, 'sign-on')
    const next = applyWanted(deps, tenant, before, wanted)
    await checkUsable(deps, stores, tenant, next)
    const change = await stores.signOn.put(tenant, next, { expectedVersion: before.version, at })
    if (change.outcome === 'taken') {
      throw createConflict('email_domains', 'one of these domains cannot be used here; ask the operator of the platform')
    }
    const signOn = unwrapChange(change, 'sign-on')
    const diff = diffSignOn(before, signOn)
    await recordAudit(stores, caller, { at, action: 'sign_on.update', target: { type: 'tenant', id: tenant }, diff })
    const ended = signOn.isEnforced && !before.isEnforced ? await endPasswordSessions(stores, tenant, signOn, at) : []
    return { signOn, ended }
  })
  for (const userId of ended) deps.identity.tokens.cache.revoke(tenant, { subject: userId })
  return signOn
}

/**
 * Begins a test login of the stored settings, enabled or not.
 *
 * @throws AppError CONFLICT with the problem in words where it cannot begin.
 */
export async function startTest(deps: SignOnDeps, { tenant }: Principal): ReturnType<typeof leaveForProvider> {
  if (deps.logins.publicUrl === '') throw createMissingUrl()
  try {
    return await leaveForProvider(deps, tenant, 'test')
  } catch (error) {
    if (error instanceof SignOnError) throw new AppError('CONFLICT', error.message, { problem: error.problem })
    throw error
  }
}

function applyWanted(deps: SignOnDeps, tenant: TenantId, before: SignOn, wanted: WantedSignOn): SignOn {
  const issuer = wanted.issuer.trim()
  const { protocol, clientSecret: text, scopes = before.scopes } = wanted
  if (protocol === 'oidc' && issuer !== '' && URL.parse(issuer)?.protocol.startsWith('http') !== true) {
    throw new AppError('INVALID_PARAMETER', "the issuer must be a URL such as 'https://login.example'", { parameter: 'issuer' })
  }
  if (!scopes.includes('openid')) throw new AppError('INVALID_PARAMETER', "scopes must contain 'openid'", { parameter: 'scopes' })
  // A secret goes to the provider for which it was entered, and to no other.
  if (protocol === 'oidc' && text === undefined && before.clientSecret !== '' && issuer !== before.issuer) {
    throw new AppError('INVALID_PARAMETER', 'enter the client secret of the new issuer as well', { parameter: 'client_secret' })
  }
  const loginUrl = (wanted.loginUrl ?? before.loginUrl).trim()
  if (loginUrl !== '' && !isLoginUrl(loginUrl)) {
    const message = "the login URL must be one with https, such as 'https://login.example/sso'"
    throw new AppError('INVALID_PARAMETER', message, { parameter: 'login_url' })
  }
  const certificates = wanted.certificates === undefined ? before.certificates : wanted.certificates.map(normalizeCertificate)
  const emailDomains = wanted.emailDomains.map((domain) => {
    const normalized = normalizeDomain(domain)
    if (normalized !== undefined) return normalized
    throw new AppError('INVALID_PARAMETER', `'${domain}' is not a domain such as example.org`, { parameter: 'email_domains' })
  })
  const kept = protocol === 'oidc' ? before.clientSecret : ''
  const context = getClientSecretContext(tenant)
  // The secret that is stored already is no new one.
  const isKept = text === undefined || (kept !== '' && deps.identity.secrets.open(context, kept) === text)
  const clientSecret = isKept ? kept : deps.identity.secrets.seal(context, text)
  const isSameIssuer = protocol === before.protocol && issuer === before.issuer
  const isSameProvider = protocol === 'saml'
    ? isSameIssuer && loginUrl === before.loginUrl && certificates.join() === before.certificates.join()
    : isSameIssuer && wanted.clientId === before.clientId && isKept
  return {
    ...wanted, issuer, scopes, clientSecret, loginUrl, certificates, emailDomains: [...new Set(emailDomains)].toSorted(),
    lastTest: isSameProvider ? before.lastTest : undefined, version: before.version,
  }
}

/** A page that asks for passwords has TLS; that of a provider on this machine is reached by no other way. */
function isLoginUrl(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
}

/** Checks that users are not locked out. */
async function checkUsable({ logins: { publicUrl } }: SignOnDeps, stores: Stores, tenant: TenantId, next: SignOn): Promise<void> {
  if (next.isEnforced && !next.isEnabled) throw createConflict('enabled', 'sign-on that is enforced must be enabled')
  if (!next.isEnabled) return
  if (!isComplete(next)) {
    const needed = next.protocol === 'saml' ? 'issuer, login URL and a certificate' : 'issuer, client id and client secret'
    throw createConflict('issuer', `${needed} are needed to enable sign-on`)
  }
  if (publicUrl === '') throw createMissingUrl()
  if (!next.isEnforced) return
  if (next.lastTest === undefined || next.lastTest.problem !== undefined) {
    throw createConflict('enforced', 'log in as a test first; sign-on is enforced after a test that succeeded with this provider')
  }
  const user = next.breakGlassUserId === undefined ? undefined : await stores.users.get(tenant, next.breakGlassUserId)
  if (user !== undefined && await canLogInByPassword(stores, user)) return
  throw createConflict('break_glass_user_id', 'choose an active admin with an own password, who can log in while the provider fails')
}

async function canLogInByPassword({ accounts }: Stores, { email, externalIssuer, isActive, roles }: User): Promise<boolean> {
  if (externalIssuer !== undefined || !isActive || !roles.includes('admin')) return false
  const account = await accounts.find(email)
  return account?.passwordHash !== undefined && !account.hasOneTimePassword
}

function createConflict(parameter: string, message: string): AppError {
  return new AppError('CONFLICT', message, { parameter })
}

function createMissingUrl(): AppError {
  const message = 'the server has no public URL, to which a provider could send users back; its operator sets TRIPLINE_PUBLIC_URL'
  return createConflict('enabled', message)
}

/** Ends the sessions of users who can no longer log in by password; returns their ids. */
async function endPasswordSessions(
  { users, sessions }: Stores, tenant: TenantId, { breakGlassUserId }: SignOn, at: number,
): Promise<readonly string[]> {
  const ended = (await users.list(tenant)).filter(({ id, externalIssuer, roles }) =>
    externalIssuer === undefined && id !== breakGlassUserId && !roles.includes('operator'))
  for (const { id } of ended) await sessions.revokeAll(tenant, id, at)
  return ended.map(({ id }) => id)
}

/** The changed settings, without the secret. */
function diffSignOn(before: SignOn, after: SignOn): { readonly [name: string]: unknown } {
  const pairs = {
    protocol: [before.protocol, after.protocol], enabled: [before.isEnabled, after.isEnabled],
    enforced: [before.isEnforced, after.isEnforced], issuer: [before.issuer, after.issuer],
    client_id: [before.clientId, after.clientId], scopes: [before.scopes, after.scopes],
    login_url: [before.loginUrl, after.loginUrl], certificates: [before.certificates, after.certificates].map(listFingerprints),
    email_domains: [before.emailDomains, after.emailDomains],
    break_glass_user_id: [before.breakGlassUserId ?? null, after.breakGlassUserId ?? null],
  }
  const changed = Object.entries(pairs).filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to))
  return { ...Object.fromEntries(changed), ...(before.clientSecret !== after.clientSecret && { replaced: ['client credentials'] }) }
}
