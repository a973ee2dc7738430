import type { TokenClaims } from '@tripline/model/access/role-mapping'
import { limits } from '../limits.ts'
import { SignOnError } from './sign-on-error.ts'

/** @throws SignOnError for claims that are too many to be kept with a session. */
export function checkClaimsSize(claims: TokenClaims): void {
  const size = Buffer.byteLength(JSON.stringify(claims))
  if (size <= limits.signOn.claimsBytesMax) return
  throw new SignOnError('provider_unusable', `the claims have ${size} bytes; at most ${limits.signOn.claimsBytesMax} are kept`)
}
