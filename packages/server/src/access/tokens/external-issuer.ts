import { getPath } from '@tripline/common/get-path'
import type { Runtime } from '@tripline/common/runtime'
import { isRole } from '@tripline/model/access/permission'
import { mapRole } from '@tripline/model/access/role-mapping'
import type { RoleMappingEntry, TenantRole, TokenClaims } from '@tripline/model/access/role-mapping'
import type { TenantId } from '@tripline/model/tenant'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { limits } from '../../limits.ts'
import { hasTokenFormat } from './access-token.ts'
import { readProfile } from './read-profile.ts'
import { unauthorized } from './token-principal.ts'
import type { ExternalPrincipal } from './token-principal.ts'

/** A trusted external token issuer, such as a customer's identity provider. */
export type ExternalIssuerOptions = {
  /** The exact `iss` claim of its tokens. */
  readonly name: string
  readonly audience: string
  /** A JWKS document, or a function that fetches one with its own timeout; this module performs no I/O. */
  readonly keys: string | (() => Promise<string>)
  /** The claim that names the tenant, or a dotted path to it. */
  readonly tenantClaim: string
  /**
   * How claims map to roles in tenants without a mapping of their own: by a mapping, or by a claim that contains our role
   * names.
   */
  readonly roles: { readonly mapping: readonly RoleMappingEntry[] } | { readonly claim: string }
  /** The tenants that it may issue tokens for. */
  readonly tenants: 'every' | readonly TenantId[]
}

export type ExternalIssuer = {
  readonly name: string
  /** The roles that claims grant under a tenant's mapping; under an empty one, the roles that the issuer grants itself. */
  readonly mapRoles: (claims: TokenClaims, mapping: readonly RoleMappingEntry[]) => readonly TenantRole[]
  /** The public keys that it has now: none before remote ones were fetched. */
  readonly listKeys: () => readonly JSONWebKeySet['keys'][number][]
  /** @throws AppError UNAUTHORIZED, the same for whatever is wrong. */
  readonly verify: (token: unknown, nowMs: number, mappingOf?: LoadRoleMapping) => Promise<ExternalPrincipal>
}

/** Loads the role mapping of a tenant; if empty, the issuer's own mapping applies. */
export type LoadRoleMapping = (tenant: TenantId) => Promise<readonly RoleMappingEntry[]>

/**
 * Opens an external issuer; remote keys are fetched with the first token.
 *
 * @throws Error for an invalid key set, mapping or name.
 */
export function openExternalIssuer(options: ExternalIssuerOptions, io: Pick<Runtime, 'elapsedMs'>): ExternalIssuer {
  if (options.name === '' || options.audience === '') throw new Error('an external issuer needs a name and an audience')
  if ('mapping' in options.roles && options.roles.mapping.length > limits.auth.roleMappingMax) {
    throw new Error(`a role mapping has ${options.roles.mapping.length} entries; at most ${limits.auth.roleMappingMax} are allowed`)
  }
  const { keys } = options
  const keySet = typeof keys === 'string' ? readKeySet(keys) : createRemoteKeySet(keys, io)
  return {
    name: options.name,
    mapRoles: (claims, mapping) => mapRoles(options, claims, mapping),
    listKeys: keySet.listKeys,
    verify: (token, nowMs, mappingOf = noMapping) => verifyExternal(options, keySet.getKey, { token, nowMs, mappingOf }),
  }
}

/** Public-key signature algorithms that RFC 8725 permits: no `none` and no shared secrets. */
const algorithms = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']
/** `typ` headers that providers use for access tokens. */
const tokenTypes: readonly unknown[] = [undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt']

const claimsSchema = z.object({
  sub: z.string().min(1).max(limits.auth.tokenIdLengthMax),
  iat: z.number(),
  exp: z.number().max(Number.MAX_SAFE_INTEGER / 1_000),
})
const tenantSchema = z.string().min(1).max(limits.events.tenantLengthMax)

/** Keys that verify tokens, and their list. */
type KeySet = { readonly getKey: JWTVerifyGetKey; readonly listKeys: ExternalIssuer['listKeys'] }

type PresentedToken = { readonly token: unknown; readonly nowMs: number; readonly mappingOf: LoadRoleMapping }
type VerifiedClaims = Omit<ExternalPrincipal, 'roles'> & { readonly payload: JWTPayload }

async function noMapping(): Promise<readonly RoleMappingEntry[]> {
  return []
}

async function verifyExternal(
  options: ExternalIssuerOptions, keySet: JWTVerifyGetKey, { mappingOf, ...presented }: PresentedToken,
): Promise<ExternalPrincipal> {
  const { payload, ...claimed } = await verifyClaims(options, keySet, presented)
  const roles = mapRoles(options, payload, await mappingOf(claimed.tenant))
  if (roles.length === 0) throw unauthorized()
  return { ...claimed, roles, externalClaims: payload }
}

async function verifyClaims(
  options: ExternalIssuerOptions, keySet: JWTVerifyGetKey, { token, nowMs }: Omit<PresentedToken, 'mappingOf'>,
): Promise<VerifiedClaims> {
  if (!hasTokenFormat(token)) throw unauthorized()
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keySet, {
      algorithms,
      issuer: options.name,
      audience: options.audience,
      requiredClaims: ['iss', 'aud', 'sub', 'iat', 'exp'],
      clockTolerance: limits.auth.clockSkewMs / 1_000,
      currentDate: new Date(nowMs),
    })
    if (!tokenTypes.includes(protectedHeader.typ)) throw unauthorized()
    return readClaims(options, payload, nowMs)
  } catch {
    // Either the token is invalid or the keys are unavailable; access is refused in both cases.
    throw unauthorized()
  }
}

function readClaims(options: ExternalIssuerOptions, payload: JWTPayload, nowMs: number): VerifiedClaims {
  const { sub, iat, exp } = claimsSchema.parse(payload)
  const tenant = tenantSchema.parse(getPath(payload, options.tenantClaim))
  const isForeign = options.tenants !== 'every' && !options.tenants.includes(tenant)
  if (isForeign || iat * 1_000 > nowMs + limits.auth.clockSkewMs) throw unauthorized()
  const expiresAt = Math.min(exp * 1_000, iat * 1_000 + limits.auth.externalTokenAgeMs)
  if (nowMs >= expiresAt + limits.auth.clockSkewMs) throw unauthorized()
  return { tenant, subject: sub, expiresAt, session: undefined, issuedAt: iat * 1_000, profile: readProfile(payload, sub), payload }
}

/** The role `operator` cannot be granted by an external issuer. */
function mapRoles(
  { roles }: ExternalIssuerOptions, payload: TokenClaims, ownMapping: readonly RoleMappingEntry[],
): readonly TenantRole[] {
  if (ownMapping.length > 0 || 'mapping' in roles) {
    const mapping = 'mapping' in roles && ownMapping.length === 0 ? roles.mapping : ownMapping
    const role = mapRole(payload, mapping, limits.auth.claimValuesMax)
    return role === undefined ? [] : [role]
  }
  const claim = getPath(payload, roles.claim)
  const named: readonly unknown[] = Array.isArray(claim) ? claim.slice(0, limits.auth.claimValuesMax) : [claim]
  const known = named.filter(isRole).filter((role) => role !== 'operator')
  return [...new Set(known)]
}

/** Only public keys: a private or shared key in this file is a mistake that must be reported. */
const keySetSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.enum(['OKP', 'EC', 'RSA']), d: z.never().exactOptional() }))
    .min(1).max(limits.auth.keySetKeysMax),
})

/** @throws Error with the problem, without quoting the text. */
function readKeySet(text: string): KeySet {
  if (text.length > limits.auth.keySetLengthMax) {
    throw new Error(`the key set has ${text.length} characters; at most ${limits.auth.keySetLengthMax} are allowed`)
  }
  const keySet = parseKeySet(text)
  return { getKey: createLocalJWKSet(keySet), listKeys: () => keySet.keys }
}

function parseKeySet(text: string): JSONWebKeySet {
  const parsed = keySetSchema.safeParse(parseJsonText(text))
  if (!parsed.success) {
    const [place] = parsed.error.issues
    throw new Error(`the key set is not a JWKS of public keys: check '${place?.path.join('.') ?? ''}'`)
  }
  // `EdDSA` and `Ed25519` (RFC 9864) name one algorithm: a key that states either verifies tokens that state the other.
  return { keys: parsed.data.keys.map(({ alg, ...key }) => ({ ...key, ...(typeof alg === 'string' && key.kty !== 'OKP' && { alg }) })) }
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('the key set is not valid JSON')
  }
}

/**
 * A cached remote key set: fetched once for concurrent requests, refreshed when old or when a token names an unknown key, at
 * most once per `limits.auth.keySetAttemptMs`, whatever tokens are sent. Previous keys stay valid while a refresh fails.
 */
function createRemoteKeySet(fetchText: () => Promise<string>, { elapsedMs }: Pick<Runtime, 'elapsedMs'>): KeySet {
  let keySet: KeySet | undefined
  let fetchedAtMs = Number.NEGATIVE_INFINITY
  let triedAtMs = Number.NEGATIVE_INFINITY
  let attempt: Promise<void> | undefined

  const fetchKeys = async (): Promise<void> => {
    try {
      keySet = readKeySet(await fetchText())
      fetchedAtMs = elapsedMs()
    } finally {
      attempt = undefined
    }
  }
  const refresh = async (): Promise<void> => {
    if (attempt === undefined) {
      if (elapsedMs() - triedAtMs < limits.auth.keySetAttemptMs) return
      triedAtMs = elapsedMs()
      attempt = fetchKeys()
    }
    try {
      await attempt
    } catch (error) {
      if (keySet === undefined) throw error
    }
  }
  const getKey: JWTVerifyGetKey = async (header, token) => {
    if (keySet === undefined) await refresh()
    // A refresh in the background: an unresponsive provider delays no request while there are keys.
    else if (elapsedMs() - fetchedAtMs >= limits.auth.keySetFreshMs) void refresh()
    try {
      return await current().getKey(header, token)
    } catch (error) {
      // Providers rotate keys without notice: an unknown key may be new.
      const before = keySet
      await refresh()
      if (keySet === before) throw error
      return current().getKey(header, token)
    }
  }
  return { getKey, listKeys: () => keySet?.listKeys() ?? [] }

  function current(): KeySet {
    if (keySet === undefined) throw new Error("the external issuer's keys are not available")
    return keySet
  }
}
