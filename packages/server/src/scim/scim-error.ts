import { AppError } from '@tripline/contract/app-error'

/** Why a request of SCIM was refused (RFC 7644, table 9). */
type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'noTarget' | 'tooMany' | 'uniqueness'

/** The refusal of a request of SCIM; its body names the type. */
export function createScimError(scimType: ScimType, message: string): AppError {
  return new AppError(scimType === 'uniqueness' ? 'CONFLICT' : 'INVALID_PARAMETER', message, { scim_type: scimType })
}
