import { catalogues } from '@tripline/compliance/catalogues/catalogues'

/** The tokens of all frameworks, in their order. */
export const allFrameworks: readonly string[] = catalogues.map(({ token }) => token)
