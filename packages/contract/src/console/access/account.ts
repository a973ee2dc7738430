import { z } from 'zod'
import { limits } from '../../limits.ts'
import { sessionUserSchema } from './session.ts'
import { responseTargetsSchema } from './tenant.ts'

const passwordText = z.string().min(1).max(limits.auth.passwordLengthMax)
const codeText = z.string().max(16)

/** A change of the user's own password. */
export const passwordBodySchema = z.strictObject({ current_password: passwordText, new_password: passwordText })

/** A secret for an authenticator app, and its URI for a QR code. */
export const secondFactorSchema = z.strictObject({ secret: z.string(), uri: z.string() })
export type SecondFactorBody = z.infer<typeof secondFactorSchema>

/** Enables a second factor: proves possession of the secret and the password. */
export const secondFactorBodySchema = z.strictObject({ secret: z.string().max(64), code: codeText, password: passwordText })

/** Disables the second factor, with the same proof. */
export const removeFactorBodySchema = z.strictObject({ code: codeText, password: passwordText })

const tenantNameSchema = z.strictObject({ id: z.string(), name: z.string() })

/** The authenticated user, and what pages need to know of the user's rights and tenant. */
export const profileSchema = z.strictObject({
  ...sessionUserSchema.shape,
  /** What the roles allow, by the names of the table of permissions; without a needed second factor nothing but the own account. */
  permissions: z.array(z.string()),
  tenant: z.strictObject({
    ...tenantNameSchema.shape,
    /** An IANA time zone, for days, weeks and schedules. */
    timezone: z.string(),
    /** Minutes within which alerts and incidents of a severity are to be closed. */
    response_targets: responseTargetsSchema,
  }),
  /** The other tenants in which the account has an active user; a login there names one. */
  tenants: z.array(tenantNameSchema),
  limits: z.strictObject({
    /** Requests in a minute: of this user, and of all users of the tenant together. */
    user_requests_per_minute: z.int(),
    tenant_requests_per_minute: z.int(),
    /** Open WebSockets of this user. */
    sockets: z.int(),
    /** Bytes of preferences. */
    preferences_bytes: z.int(),
  }),
})
export type ProfileBody = z.infer<typeof profileSchema>

/** What a user prefers, by names that the console chooses: theme, density, columns, time zone, keys. */
export const preferencesSchema = z.strictObject({
  /** At most 64 KiB as JSON. */
  preferences: z.record(z.string(), z.json()),
})
