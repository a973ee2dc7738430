import type { KeyObject } from 'node:crypto'
import { SignJWT, jwtVerify } from 'jose'
import { z } from 'zod'
import { createUuidV7 } from '../domain/ids.ts'
import { roles } from '../domain/permission.ts'
import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'
import { findVerifyingKey } from './signing-keys.ts'
import type { SigningKeys } from './signing-keys.ts'
import { unauthorized } from './token-principal.ts'
import type { TokenPrincipal } from './token-principal.ts'

/** What tokens are issued with: the keys, and the name of this installation. */
export type Issuer = { readonly keys: SigningKeys; readonly name: string }

/** Whom a token is for. */
export type TokenSubject = Required<Pick<TokenPrincipal, 'tenant' | 'subject' | 'roles'>> & {
  readonly session: NonNullable<TokenPrincipal['session']>
}

/** Issues an access token (D-25): good from now on, for at most `limits.auth.accessTokenMs`; a longer one would be refused. */
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
 * Tells who holds a token of ours: signature, type, issuer, audience and times are checked, every claim of D-25 has
 * to be there and of its type (RFC 8725). Whether session and user still stand is not asked here.
 *
 * @throws AppError UNAUTHORIZED, the same for whatever is wrong.
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

/** Whether something can be a token at all: three parts of its letters, no longer than `limits.auth.tokenLengthMax`. */
export function hasTokenFormat(token: unknown): token is string {
  return typeof token === 'string' && token.length <= limits.auth.tokenLengthMax && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

/** Who tokens of ours are for. */
const audience = 'console'
/** Says in the header that this is an access token, so that no other thing we sign can pass for one (RFC 9068). */
const tokenType = 'at+jwt'

const idSchema = z.string().min(1).max(limits.auth.tokenIdLengthMax)

const claimsSchema = z.object({
  iss: z.string(),
  // A list of audiences is good JWT, but we issue none.
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
    // Whatever it was, it is the token's fault: neither the library nor the schema waits for anything else.
    throw unauthorized()
  }
}
