import type { AdminApp } from '../../areas/shared/admin-app.ts'
import { limits } from '../../limits.ts'

/** A temporary password: its text, shown once, and its hash. */
type TemporaryPassword = { readonly text: string; readonly hash: string }

/** Creates a random password that can be typed. Hashing is slow: do not call it in a transaction. */
export async function createTemporaryPassword(
  { identity, randomBytes }: Pick<AdminApp, 'identity' | 'randomBytes'>,
): Promise<TemporaryPassword> {
  const text = Buffer.from(randomBytes(limits.admin.givenPasswordBytes)).toString('base64url')
  return { text, hash: await identity.hasher.rehash(text) }
}
