import type { Account } from '@tripline/model/access/account'
import type { SecretBox, SecretContext } from '@tripline/model/access/secret-box'

/** Encrypts the TOTP secret of an account, bound to that account. */
export function sealTotpSecret(secrets: SecretBox, email: string, secret: Uint8Array): string {
  return secrets.seal(toSecretContext(email), Buffer.from(secret).toString('base64url'))
}

/**
 * Decrypts the TOTP secret of an account; undefined without a second factor.
 *
 * @throws Error for a secret of another server or account, or one that was modified.
 */
export function openTotpSecret(secrets: SecretBox, { email, totpSecret }: Pick<Account, 'email' | 'totpSecret'>): Uint8Array | undefined {
  return totpSecret === undefined ? undefined : Buffer.from(secrets.open(toSecretContext(email), totpSecret), 'base64url')
}

/** Accounts do not belong to a tenant. */
function toSecretContext(email: string): SecretContext {
  return { tenant: '', owner: `account ${email}`, key: 'totp' }
}
