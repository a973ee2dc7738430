import type { ApiKeyBody } from '../../contract/api-key.ts'
import type { ApiKey } from '../../domain/api-key.ts'
import { printInstant } from '../format-timestamp.ts'

/** A key as the console shows it at some moment. */
export function printApiKey(key: ApiKey, nowMs: number): ApiKeyBody {
  const { publicId, name, scope, apiProfile, allowedCidrs, createdBy } = key
  const { createdAt, updatedAt, expiresAt, revokedAt, lastUsedAt, lastUsedIp = '' } = key
  const isOver = expiresAt !== undefined && expiresAt <= nowMs
  return {
    id: publicId, name, scope: scope === 'read_write' ? 'read-write' : 'read-only',
    status: revokedAt === undefined ? (isOver ? 'expired' : 'active') : 'revoked',
    api_profile: apiProfile, allowed_cidrs: [...allowedCidrs], created_by: createdBy,
    created_at: printInstant(createdAt), updated_at: printInstant(updatedAt),
    expires_at: printInstant(expiresAt), revoked_at: printInstant(revokedAt),
    last_used_at: printInstant(lastUsedAt), last_used_ip: lastUsedIp === '' ? null : lastUsedIp,
  }
}
