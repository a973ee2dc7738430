import { z } from 'zod'
import { limits } from '../limits.ts'

const passwordText = z.string().min(1).max(limits.auth.passwordLengthMax)
const codeText = z.string().max(16)

/** A change of the user's own password. */
export const passwordBodySchema = z.strictObject({ current_password: passwordText, new_password: passwordText })

/** A secret for an authenticator app, and its URI for a QR code. */
export const secondFactorSchema = z.strictObject({ secret: z.string(), uri: z.string() })

/** Enables a second factor: proves possession of the secret and the password. */
export const secondFactorBodySchema = z.strictObject({ secret: z.string().max(64), code: codeText, password: passwordText })

/** Disables the second factor, with the same proof. */
export const removeFactorBodySchema = z.strictObject({ code: codeText, password: passwordText })
