import { isJsonObject } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'
import { authenticate } from '../../access/authenticate.ts'
import type { AuthService } from '../../access/open-auth.ts'
import { hasTokenFormat } from '../../access/tokens/access-token.ts'
import { findVerifyingKey } from '../../access/tokens/signing-keys.ts'
import { limits } from '../../limits.ts'

type JsonObject = { readonly [name: string]: unknown }

/** The content of a token and whether it is valid; validity is unknown without a data directory. */
type InspectedToken = {
  readonly header: JsonObject
  readonly claims: JsonObject
  readonly isGood: boolean | undefined
  /** Why it is invalid; never shown to clients. */
  readonly problem: string | undefined
}

/**
 * Decodes a token and, with a data directory, verifies it. It reveals more than a server does, because its user has the data
 * directory.
 *
 * @throws AppError INVALID_PARAMETER for a text that is not a token.
 */
export async function inspectToken(text: string, identity: AuthService | undefined): Promise<InspectedToken> {
  const [header, claims] = hasTokenFormat(text) ? text.split('.').slice(0, 2).map(parsePart) : []
  if (header === undefined || claims === undefined) {
    const message = `this is not a token: a token has three parts separated by dots and at most ${limits.auth.tokenLengthMax} characters`
    throw new AppError('INVALID_PARAMETER', message)
  }
  if (identity === undefined) return { header, claims, isGood: undefined, problem: undefined }
  try {
    await authenticate(identity, text)
    return { header, claims, isGood: true, problem: undefined }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNAUTHORIZED') throw error
    return { header, claims, isGood: false, problem: diagnoseToken(identity, header, claims) }
  }
}

/** The most likely problem of a refused token, simplest first. */
function diagnoseToken(identity: AuthService, header: JsonObject, claims: JsonObject): string {
  const issuer = identity.tokens.issuer()
  const nowMs = identity.io.now()
  const checks: readonly (readonly [isWrong: boolean, sentence: string])[] = [
    [header['alg'] !== 'EdDSA', "its 'alg' is not EdDSA"],
    [header['typ'] !== 'at+jwt', "its 'typ' is not at+jwt, so this server did not issue it"],
    [claims['iss'] !== issuer.name, `its 'iss' is not '${issuer.name}'; compare it with --public-url`],
    [findVerifyingKey(issuer.keys, header['kid'], nowMs) === undefined, "no signing key of this server has its 'kid'"],
    [typeof claims['exp'] === 'number' && claims['exp'] * 1_000 + limits.auth.clockSkewMs <= nowMs, 'it has expired'],
  ]
  return checks.find(([isWrong]) => isWrong)?.[1]
    ?? 'its signature or one of its claims is wrong, or its session, user or tenant is no longer active'
}

function parsePart(part: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isJsonObject(parsed) ? parsed : undefined
  } catch {
    // Not JSON, so not part of a token; the caller reports it.
    return undefined
  }
}
