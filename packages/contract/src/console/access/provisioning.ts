import { z } from 'zod'

const tokenFields = {
  id: z.string(),
  created_by: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
  last_used_ip: z.string().nullable(),
}

/** The tokens with which an identity provider provisions users by SCIM, and what it provisioned. */
export const provisioningSchema = z.strictObject({
  /** The address to enter at the provider; null without a public URL of the server. */
  base_url: z.string().nullable(),
  tokens: z.array(z.strictObject(tokenFields)),
  /** Users whom the provider stated and did not remove, and those of them without a role, who cannot log in. */
  user_count: z.int(),
  users_without_role: z.int(),
  groups: z.array(z.strictObject({
    id: z.string(),
    name: z.string(),
    external_id: z.string().nullable(),
    member_count: z.int(),
    /** The role that the role mapping gives to members; null if no entry fits the group. */
    role: z.enum(['viewer', 'analyst', 'engineer', 'admin', 'auditor']).nullable(),
  })),
})
export type ProvisioningBody = z.infer<typeof provisioningSchema>

/** The only response that contains the token itself. */
export const createdProvisioningTokenSchema = z.strictObject({ ...tokenFields, token: z.string() })
export type CreatedProvisioningTokenBody = z.infer<typeof createdProvisioningTokenSchema>
