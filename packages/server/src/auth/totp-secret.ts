import type { Account } from '../domain/account.ts'
import type { SecretBox, SecretContext } from '../domain/secret-box.ts'

/** Seals the secret of an account's codes as it is kept: for this account, and good for no other. */
export function sealTotpSecret(secrets: SecretBox, email: string, secret: Uint8Array): string {
  return secrets.seal(toSecretContext(email), Buffer.from(secret).toString('base64url'))
}

/**
 * The secret of an account's codes; undefined where none are asked for.
 *
 * @throws Error for one that was sealed by another installation or for another account, or was changed since.
 */
export function openTotpSecret(secrets: SecretBox, { email, totpSecret }: Pick<Account, 'email' | 'totpSecret'>): Uint8Array | undefined {
  return totpSecret === undefined ? undefined : Buffer.from(secrets.open(toSecretContext(email), totpSecret), 'base64url')
}

/** Accounts are of no tenant. */
function toSecretContext(email: string): SecretContext {
  return { tenant: '', owner: `account ${email}`, key: 'totp' }
}
