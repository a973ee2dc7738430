import { z } from 'zod'
import { limits } from '../../limits.ts'
import { interfaceSchema } from './user.ts'

/** Login credentials. */
export const loginBodySchema = z.strictObject({
  email: z.string().min(1).max(limits.auth.emailLengthMax),
  password: z.string().min(1).max(limits.auth.passwordLengthMax),
  /** Required with a one-time password: the user's own new password. */
  new_password: z.string().min(1).max(limits.auth.passwordLengthMax).optional(),
  /** Six digits, for accounts that have a second factor. */
  totp: z.string().max(16).optional(),
  /** For accounts with users in several tenants. */
  tenant_id: z.string().min(1).max(limits.session.tenantLengthMax).optional(),
})

/** The token of the link that a new server prints. */
export const loginLinkBodySchema = z.strictObject({
  /** What follows `#login=`; valid once, for ten minutes, and on the machine of the server alone. */
  token: z.string().min(1).max(limits.auth.passwordLengthMax),
})

/** Another tenant of the account, to go on in. */
export const tenantSwitchSchema = z.strictObject({ tenant_id: z.string().min(1).max(limits.session.tenantLengthMax) })

export const sessionUserSchema = z.strictObject({
  id: z.string(),
  tenant_id: z.string(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  /** The pages that the user works with. */
  interface: interfaceSchema,
  /** Whether a second factor was added here, or proven by the token of an external issuer. */
  has_second_factor: z.boolean(),
  /** Whether only the own account is open until a second factor is added. */
  needs_second_factor: z.boolean(),
})
export type SessionUserBody = z.infer<typeof sessionUserSchema>

/** An access token; the refresh token is in a cookie that scripts cannot read. */
export const tokenSchema = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.int(),
  /** When the session ends if it is not refreshed; a refresh moves it, up to seven days after the login. */
  session_ends_at: z.string(),
  user: sessionUserSchema,
})
export type TokenBody = z.infer<typeof tokenSchema>

/** The user's own open sessions. */
export const sessionListSchema = z.strictObject({
  sessions: z.array(z.strictObject({
    id: z.string(),
    created_at: z.string(),
    refreshed_at: z.string(),
    /** When it ends if it is not refreshed. */
    ends_at: z.string(),
    /** The address that it was last opened or refreshed from; null where it is not known, such as for a token of the operator. */
    address: z.string().nullable(),
    /** Family of the browser, or the name of another program, as it stated itself. */
    browser: z.string().nullable(),
    /** Family of the operating system, as the browser stated it. */
    system: z.string().nullable(),
    /** Whether this request belongs to it. */
    is_current: z.boolean(),
  })),
})

export type SessionListBody = z.infer<typeof sessionListSchema>

export const jwksSchema = z.strictObject({
  keys: z.array(z.strictObject({
    kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), kid: z.string(), alg: z.literal('EdDSA'), use: z.literal('sig'),
  })),
})
