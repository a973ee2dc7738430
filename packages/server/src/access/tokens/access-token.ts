import type { Runtime } from '@tripline/common/runtime'
import { roles } from '@tripline/model/access/permission'
import { createUuidV7 } from '@tripline/model/ids'
import type { KeyObject } from 'node:crypto'
import { SignJWT, jwtVerify } from 'jose'
import { z } from 'zod'
import { limits } from '../../limits.ts'
import { findVerifyingKey } from './signing-keys.ts'
import type { SigningKeys } from './signing-keys.ts'
import { unauthorized } from './token-principal.ts'
import type { TokenPrincipal } from './token-principal.ts'

/** The issuer of tokens: signing keys and issuer name. */
export type Issuer = { readonly keys: SigningKeys; readonly name: string }

/** The subject of a token. */
export type TokenSubject = Required<Pick<TokenPrincipal, 'tenant' | 'subject' | 'roles'>> & {
  readonly session: NonNullable<TokenPrincipal['session']>
}

/** The audience of our tokens. */
const audience = 'console'

/** The `typ` header of access tokens, so that nothing else we sign can pass for one (RFC 9068). */
const tokenType = 'at+jwt'

/**
 * Issues a JWT access token (RFC 9068), valid for at most `limits.auth.accessTokenMs`; longer lifetimes would be refused on
 * verification.
 */
export function issueAccessToken(
  issuer: Issuer, holder: TokenSubject, io: Pick<Runtime, 'now' | 'randomBytes'>, lifetimeMs: number = limits.auth.accessTokenMs,
): Promise<string> {
  const nowMs = io.now()
  const issuedAt = Math.floor(nowMs / 1_000)
  const claims = {
    tenant_id: holder.tenant,
    roles: [...holder.roles],
    perms_v: holder.session.permissionsVersion,
    sid: holder.session.id,
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', kid: issuer.keys.current.keyId, typ: tokenType })
    .setIssuer(issuer.name)
    .setAudience(audience)
    .setSubject(holder.subject)
    .setJti(createUuidV7(nowMs, io.randomBytes))
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(issuedAt + Math.floor(lifetimeMs / 1_000))
    .sign(issuer.keys.current.privateKey)
}

/**
 * Verifies an access token: signature, type, issuer, audience, times, and presence and type of every claim (RFC 8725).
 * Whether session and user are still active is checked elsewhere.
 *
 * @throws AppError UNAUTHORIZED, the same for every problem.
 */
export async function verifyAccessToken(issuer: Issuer, token: unknown, nowMs: number): Promise<TokenPrincipal> {
  if (!hasTokenFormat(token)) throw unauthorized()
  const claims = await readClaims(issuer, token, nowMs)
  const nowSeconds = nowMs / 1_000
  const isFromFuture = claims.iat > nowSeconds + limits.auth.clockSkewMs / 1_000
  const isLongLived = claims.exp - claims.iat > limits.auth.accessTokenMs / 1_000
  if (isFromFuture || isLongLived) throw unauthorized()
  return {
    tenant: claims.tenant_id,
    subject: claims.sub,
    roles: claims.roles,
    expiresAt: claims.exp * 1_000,
    session: { id: claims.sid, permissionsVersion: claims.perms_v },
  }
}

/** Whether a value has the form of a JWT: three base64url parts, at most `limits.auth.tokenLengthMax` characters. */
export function hasTokenFormat(token: unknown): token is string {
  return typeof token === 'string' && token.length <= limits.auth.tokenLengthMax && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

const idSchema = z.string().min(1).max(limits.auth.tokenIdLengthMax)

const claimsSchema = z.object({
  iss: z.string(),
  // JWT allows a list of audiences, but we issue none.
  aud: z.literal(audience),
  sub: idSchema,
  tenant_id: z.string().min(1).max(limits.events.tenantLengthMax),
  roles: z.array(z.enum(roles)).min(1).max(roles.length),
  perms_v: z.int().min(0),
  sid: idSchema,
  jti: idSchema,
  iat: z.number(),
  nbf: z.number(),
  exp: z.number(),
})

async function readClaims(issuer: Issuer, token: string, nowMs: number): Promise<z.infer<typeof claimsSchema>> {
  const keyOf = ({ kid }: { readonly kid?: string }): KeyObject => {
    const key = findVerifyingKey(issuer.keys, kid, nowMs)
    if (key === undefined) throw unauthorized()
    return key
  }
  const options = {
    algorithms: ['EdDSA'],
    typ: tokenType,
    issuer: issuer.name,
    audience,
    requiredClaims: Object.keys(claimsSchema.shape),
    clockTolerance: limits.auth.clockSkewMs / 1_000,
    currentDate: new Date(nowMs),
  }
  try {
    const { payload } = await jwtVerify(token, keyOf, options)
    return claimsSchema.parse(payload)
  } catch {
    // Every error here is caused by the token: neither the library nor the schema performs I/O.
    throw unauthorized()
  }
}
