import { z } from 'zod'
import { limits } from '../limits.ts'

const passwordText = z.string().min(1).max(limits.auth.passwordLengthMax)
const codeText = z.string().max(16)

/** Another password for who asks. */
export const passwordBodySchema = z.strictObject({ current_password: passwordText, new_password: passwordText })

/** A secret to teach an authenticator, and the address that it reads from a picture. */
export const secondFactorSchema = z.strictObject({ secret: z.string(), uri: z.string() })

/** Shows that an authenticator knows the secret, and that its owner asks. */
export const secondFactorBodySchema = z.strictObject({ secret: z.string().max(64), code: codeText, password: passwordText })

/** Shows the same, to have no code asked for any more. */
export const removeFactorBodySchema = z.strictObject({ code: codeText, password: passwordText })
