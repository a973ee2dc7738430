import { z } from 'zod'
import { limits } from '../../limits.ts'
import { publicResources } from '../../public/resource.ts'

const keyFields = {
  name: z.string().min(1).max(limits.auth.apiKeyNameLengthMax),
  /** RFC 3339; null for a key without expiry, if the tenant allows it. */
  expires_at: z.union([z.iso.datetime({ offset: true }), z.iso.date()]).nullable().optional(),
  api_profile: z.enum(['auto', 'a', 'b']).optional(),
  /** Resources of the integration API that it may use; empty for any. */
  resources: z.array(z.enum(publicResources)).max(publicResources.length).optional(),
  /** A limit of its own, below that of the tenant's plan; null for none. */
  requests_per_minute: z.int().min(1).max(limits.tenantSettings.apiRequestsPerMinuteMax).nullable().optional(),
  allowed_cidrs: z.array(z.string().max(limits.admin.networkLengthMax)).max(limits.admin.networksMax).optional(),
}

/** A new API key. */
export const newApiKeyBodySchema = z.strictObject({ ...keyFields, scope: z.enum(['read-only', 'read-write']) })

export const apiKeyPatchSchema = z.strictObject({ ...keyFields, name: keyFields.name.optional() })
  .refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')

export const rotateBodySchema = z.strictObject({
  overlap_seconds: z.int().min(0).max(limits.admin.keyOverlapSecondsMax).default(limits.admin.keyOverlapSeconds),
})

/** An API key without its secret. */
export const apiKeySchema = z.strictObject({
  /** The public part of the key. */
  id: z.string(),
  name: z.string(),
  scope: z.enum(['read-only', 'read-write']),
  status: z.enum(['active', 'expired', 'revoked']),
  api_profile: z.enum(['auto', 'a', 'b']),
  resources: z.array(z.string()),
  requests_per_minute: z.int().nullable(),
  allowed_cidrs: z.array(z.string()),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.string().nullable(),
  /** Whether an active key expires within two weeks. */
  expires_soon: z.boolean(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  last_used_ip: z.string().nullable(),
})
export type ApiKeyBody = z.infer<typeof apiKeySchema>

/** The only response that contains the key itself. */
export const createdApiKeySchema = apiKeySchema.extend({ key: z.string() })
export const apiKeyListSchema = z.strictObject({ api_keys: z.array(apiKeySchema) })
