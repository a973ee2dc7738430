import { createHash, timingSafeEqual } from 'node:crypto'
import type { ApiKey, ApiProfile } from '../domain/api-key.ts'
import { AppError } from '../domain/app-error.ts'
import type { KeyScope } from '../domain/permission.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'
import { printApiKey, printPublicId, publicIdBytes, parsePublicId, secretBytes } from './api-key-format.ts'
import type { ApiKeys } from './ports.ts'
import { unauthorized } from './token-principal.ts'

/** What is asked of a new key. */
export type ApiKeyRequest = {
  readonly name: string
  readonly scope: KeyScope
  /** Who makes it. */
  readonly createdBy: string
  /** In milliseconds since 1970; undefined for a year from now. Whether a tenant allows 'never' is asked elsewhere. */
  readonly expiresAt: number | 'never' | undefined
  readonly apiProfile?: ApiProfile
  readonly allowedCidrs?: readonly string[]
}

/** A new key: the one time that its text is there, and what is kept of it. */
export type NewApiKey = { readonly text: string; readonly key: ApiKey }

/**
 * Makes an API key of a tenant.
 *
 * @throws AppError INVALID_PARAMETER for a name or an end out of bounds.
 */
export async function generateApiKey(
  room: { readonly apiKeys: Pick<ApiKeys, 'insert'>; readonly io: Pick<Runtime, 'now' | 'randomBytes'> },
  tenant: TenantId,
  request: ApiKeyRequest,
): Promise<NewApiKey> {
  const createdAt = room.io.now()
  const { name, scope, createdBy, apiProfile = 'auto', allowedCidrs = [] } = request
  const end = request.expiresAt ?? createdAt + limits.auth.apiKeyLifetimeMs
  checkApiKeyName(name)
  const expiresAt = end === 'never' ? undefined : end
  if (expiresAt !== undefined) checkApiKeyExpiry(expiresAt, createdAt)
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const publicId = printPublicId(room.io.randomBytes(publicIdBytes))
    const text = printApiKey(publicId, room.io.randomBytes(secretBytes))
    const asked = { publicId, tenant, name, scope, apiProfile, allowedCidrs, hash: hashApiKey(text), createdAt, createdBy, expiresAt }
    const key: ApiKey = { ...asked, ...neverUsed, updatedAt: createdAt }
    if (await room.apiKeys.insert(tenant, key) === 'inserted') return { text, key }
  }
  throw new Error(`${attemptsMax} public ids in a row were taken`)
}

/**
 * Finds the key of a text. The store is asked each time, so a key that is revoked is refused with the next request.
 *
 * @throws AppError UNAUTHORIZED, the same for a key that is unknown, mistyped, ended or revoked.
 */
export async function verifyApiKey(apiKeys: Pick<ApiKeys, 'find'>, text: unknown, nowMs: number): Promise<ApiKey> {
  const publicId = parsePublicId(text)
  if (publicId === undefined || typeof text !== 'string') throw unauthorized()
  const key = await apiKeys.find(publicId)
  const isEqual = timingSafeEqual(hashApiKey(text), key?.hash ?? dummyHash)
  if (key === undefined || !isEqual || key.revokedAt !== undefined) throw unauthorized()
  if (key.expiresAt !== undefined && nowMs >= key.expiresAt) throw unauthorized()
  return key
}

/** Two of 2^40 ids are hardly ever the same; four in a row are a broken source of randomness. */
const attemptsMax = 4

/** What every key begins with. */
const neverUsed = { revokedAt: undefined, lastUsedAt: undefined, lastUsedIp: undefined, version: 1 } as const

/** No text has this hash, as far as anybody knows. */
const dummyHash = new Uint8Array(32)

/** One round is enough: what is hashed is 32 random bytes, which nobody guesses. */
function hashApiKey(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** @throws AppError INVALID_PARAMETER. */
export function checkApiKeyName(name: string): void {
  const { apiKeyNameLengthMax: max } = limits.auth
  if (name.trim() === '' || name.length > max) {
    throw new AppError('INVALID_PARAMETER', `'name' has ${name.length} characters; use 1 to ${max}, not all blank`)
  }
}

/** Checks an end that is stated at some moment. @throws AppError INVALID_PARAMETER. */
export function checkApiKeyExpiry(expiresAt: number, nowMs: number): void {
  if (expiresAt > nowMs && expiresAt <= nowMs + limits.auth.apiKeyLifetimeMaxMs) return
  const days = limits.auth.apiKeyLifetimeMaxMs / 86_400_000
  throw new AppError('INVALID_PARAMETER', `'expires_at' must be in the future and at most ${days} days ahead`)
}
