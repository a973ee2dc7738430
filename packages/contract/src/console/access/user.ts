import { z } from 'zod'
import { limits } from '../../limits.ts'

/** All roles. */
const roleSchema = z.enum(['viewer', 'analyst', 'engineer', 'admin', 'auditor', 'operator'])
const rolesSchema = z.array(roleSchema).min(1).max(6)
  .refine((roles) => new Set(roles).size === roles.length, 'must not contain a role twice')

/** Characters that break a line, change its direction or are invisible. */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** A display name. */
export const nameSchema = z.string().min(1).max(limits.admin.nameLengthMax)
  .refine((name) => name.trim() !== '' && !unreadable.test(name), 'must not be blank or contain invisible characters')

export const emailSchema = z.email().max(limits.auth.emailLengthMax)

/** The pages that a user works with: the console of analysts, or the portal of customers. */
export const interfaceSchema = z.enum(['console', 'portal'])

export const newUserBodySchema = z.strictObject({
  email: emailSchema, name: nameSchema, roles: rolesSchema, interface: interfaceSchema.optional(),
})

export const userPatchSchema = z.strictObject({
  name: nameSchema.optional(), roles: rolesSchema.optional(), interface: interfaceSchema.optional(), is_active: z.boolean().optional(),
}).refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')

/** A user of the tenant. */
export const userSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  roles: z.array(roleSchema),
  interface: interfaceSchema,
  is_active: z.boolean(),
  /** The external issuer that manages the user; null for a user with an account here. */
  issuer: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type UserBody = z.infer<typeof userSchema>

/** Shown only once; null for an existing account. The first login with it sets a new password. */
export const oneTimePasswordSchema = z.strictObject({ one_time_password: z.string().nullable() })
export const createdUserSchema = userSchema.extend(oneTimePasswordSchema.shape)
export const userListSchema = z.strictObject({ users: z.array(userSchema) })

/** Narrows the people to those whose roles have a permission, such as `edit_rules`. */
export const peopleQuerySchema = z.object({ permission: z.string().min(1).max(limits.admin.nameLengthMax).optional() })

/** The users whom an alert can be assigned to, by name; every role may read them. */
export const peopleSchema = z.strictObject({
  people: z.array(z.strictObject({ id: z.string(), email: z.string(), name: z.string(), roles: z.array(roleSchema) })),
})
export type PeopleBody = z.infer<typeof peopleSchema>
