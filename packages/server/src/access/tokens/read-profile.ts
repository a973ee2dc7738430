import type { TokenClaims } from '@tripline/model/access/role-mapping'
import { z } from 'zod'
import { limits } from '../../limits.ts'
import type { ExternalPrincipal } from './token-principal.ts'

/** Name and address of a user from the standard claims of OpenID Connect, or those that providers put into access tokens. */
export function readProfile(payload: TokenClaims, subject: string): ExternalPrincipal['profile'] {
  const { emailLengthMax } = limits.auth
  const emails = [payload['email'], payload['upn'], payload['preferred_username']]
  const email = emails.map((claim) => z.email().max(emailLengthMax).safeParse(claim)).find(({ success }) => success)?.data
  const names = [payload['name'], payload['preferred_username'], email]
  const name = names.find((claim) => typeof claim === 'string' && isDisplayName(claim))
  return { email, name: typeof name === 'string' ? name : subject.slice(0, limits.admin.nameLengthMax) }
}

/** Whether a text can be shown as a name: not blank, not too long, without characters that break a line or its direction. */
function isDisplayName(text: string): boolean {
  return text.length <= limits.admin.nameLengthMax && text.trim() !== '' && !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text)
}
