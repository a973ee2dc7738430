import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { ApiKey, ApiProfile } from '@tripline/model/access/api-key'
import type { KeyScope } from '@tripline/model/access/permission'
import type { TenantId } from '@tripline/model/tenant'
import type { ApiKeys } from '@tripline/state/ports/access-stores'
import { createHash, timingSafeEqual } from 'node:crypto'
import { limits } from '../../limits.ts'
import { unauthorized } from '../tokens/token-principal.ts'
import { printApiKey, printPublicId, publicIdBytes, parsePublicId, secretBytes } from './api-key-format.ts'

/** Attributes of a new key. */
export type ApiKeyRequest = {
  readonly name: string
  readonly scope: KeyScope
  /** The id of its creator. */
  readonly createdBy: string
  /** In milliseconds since 1970; undefined for one year from now. Whether the tenant allows 'never' is checked by the caller. */
  readonly expiresAt: number | 'never' | undefined
  readonly apiProfile?: ApiProfile
  readonly resources?: readonly string[]
  readonly requestsPerMinute?: number | undefined
  readonly allowedCidrs?: readonly string[]
}

/** A new key: its text, available only now, and its stored record. */
export type NewApiKey = { readonly text: string; readonly key: ApiKey }

/** Collisions among 2^40 ids are rare; four in a row mean a broken random source. */
const attemptsMax = 4

/** Initial state of every key. */
const neverUsed = { revokedAt: undefined, lastUsedAt: undefined, lastUsedIp: undefined, version: 1 } as const

/**
 * Generates an API key and stores its hash.
 *
 * @throws AppError INVALID_PARAMETER for an invalid name or expiry.
 */
export async function generateApiKey(
  room: { readonly apiKeys: Pick<ApiKeys, 'insert'>; readonly io: Pick<Runtime, 'now' | 'randomBytes'> },
  tenant: TenantId,
  request: ApiKeyRequest,
): Promise<NewApiKey> {
  const createdAt = room.io.now()
  const { name, scope, createdBy, apiProfile = 'auto', resources = [], requestsPerMinute, allowedCidrs = [] } = request
  const end = request.expiresAt ?? createdAt + limits.auth.apiKeyLifetimeMs
  checkApiKeyName(name)
  const expiresAt = end === 'never' ? undefined : end
  if (expiresAt !== undefined) checkApiKeyExpiry(expiresAt, createdAt)
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const publicId = printPublicId(room.io.randomBytes(publicIdBytes))
    const text = printApiKey(publicId, room.io.randomBytes(secretBytes))
    const asked = { publicId, tenant, name, scope, apiProfile, resources, requestsPerMinute, allowedCidrs, createdBy, expiresAt }
    const key: ApiKey = { ...asked, ...neverUsed, hash: hashApiKey(text), createdAt, updatedAt: createdAt }
    if (await room.apiKeys.insert(tenant, key) === 'inserted') return { text, key }
  }
  throw new Error(`${attemptsMax} public ids in a row were taken`)
}

/** Compared for unknown keys, so that timing does not reveal them; no text has this hash. */
const dummyHash = new Uint8Array(32)

/**
 * Verifies an API key. The store is read each time, so a revoked key is refused from the next request on.
 *
 * @throws AppError UNAUTHORIZED, the same for an unknown, mistyped, expired or revoked key.
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

/** A single round suffices for 32 random bytes. */
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

/** Checks an expiry. @throws AppError INVALID_PARAMETER. */
export function checkApiKeyExpiry(expiresAt: number, nowMs: number): void {
  if (expiresAt > nowMs && expiresAt <= nowMs + limits.auth.apiKeyLifetimeMaxMs) return
  const days = limits.auth.apiKeyLifetimeMaxMs / 86_400_000
  throw new AppError('INVALID_PARAMETER', `'expires_at' must be in the future and at most ${days} days ahead`)
}
