import type { ApiKeyBody } from '@tripline/contract/console/access/api-key'
import type { ApiKey } from '@tripline/model/access/api-key'
import { expiresSoon } from '../../http/expires-soon.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'

/** Prints an API key; its status depends on the current time. */
export function printApiKeyBody(key: ApiKey, nowMs: number): ApiKeyBody {
  const { publicId, name, scope, apiProfile, resources, requestsPerMinute = null, allowedCidrs, createdBy } = key
  const { createdAt, updatedAt, expiresAt, revokedAt, lastUsedAt, lastUsedIp = '' } = key
  const isOver = expiresAt !== undefined && expiresAt <= nowMs
  return {
    id: publicId, name, scope: scope === 'read_write' ? 'read-write' : 'read-only',
    status: revokedAt === undefined ? (isOver ? 'expired' : 'active') : 'revoked',
    api_profile: apiProfile, resources: [...resources], requests_per_minute: requestsPerMinute, allowed_cidrs: [...allowedCidrs],
    created_by: createdBy,
    created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt),
    expires_at: formatTimestamp(expiresAt), expires_soon: revokedAt === undefined && expiresSoon(expiresAt, nowMs),
    revoked_at: formatTimestamp(revokedAt),
    last_used_at: formatTimestamp(lastUsedAt), last_used_ip: lastUsedIp === '' ? null : lastUsedIp,
  }
}
