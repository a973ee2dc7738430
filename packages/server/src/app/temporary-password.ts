import { limits } from '../limits.ts'
import type { AdminApp } from './admin-app.ts'

/** A password that is given to somebody: its text, shown once, and its hash. */
export type TemporaryPassword = { readonly text: string; readonly hash: string }

/** Makes a password that nobody could guess, and can be typed. Hashing takes a while, so not in a transaction. */
export async function createTemporaryPassword(
  { identity, randomBytes }: Pick<AdminApp, 'identity' | 'randomBytes'>,
): Promise<TemporaryPassword> {
  const text = Buffer.from(randomBytes(limits.admin.givenPasswordBytes)).toString('base64url')
  return { text, hash: await identity.hasher.hash(text) }
}
