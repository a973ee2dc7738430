import type { Runtime } from '@tripline/common/runtime'
import { limits } from '../../limits.ts'
import type { PasswordHasher } from './password.ts'

/** What hashes passwords, and where random ones come from. */
type TemporaryPasswordDeps = {
  readonly identity: { readonly hasher: Pick<PasswordHasher, 'rehash'> }
  readonly randomBytes: Runtime['randomBytes']
}

/** A temporary password: its text, shown once, and its hash. */
type TemporaryPassword = { readonly text: string; readonly hash: string }

/** Creates a random password that can be typed. Hashing is slow: do not call it in a transaction. */
export async function createTemporaryPassword({ identity, randomBytes }: TemporaryPasswordDeps): Promise<TemporaryPassword> {
  const text = Buffer.from(randomBytes(limits.admin.givenPasswordBytes)).toString('base64url')
  return { text, hash: await identity.hasher.rehash(text) }
}
