import { profiles } from '@tripline/contract/public/profile'
import type { Profile } from '@tripline/contract/public/profile'
import type { RequestContext } from '../route.ts'
import { publicParameterError } from './public-errors.ts'

/** The profile that an answer is in before the tenant is known. */
export const profileDefault: Profile = 'b'

/** Paths below `/api/v1` that only one profile published: they answer in it, unless a request or its key says otherwise. */
const published: readonly (readonly [method: RegExp, path: RegExp, profile: Profile])[] = [
  [/./, /^\/alerts\/stats$/, 'a'],
  [/./, /^\/siem\//, 'a'],
  [/./, /^\/compliance\//, 'a'],
  [/./, /^\/assets(?:\/|$)/, 'a'],
  [/./, /^\/export\//, 'a'],
  [/^PATCH$/, /^\/alerts\/[^/]+$/, 'b'],
  [/./, /^\/collectors\/[^/]+$/, 'b'],
  [/./, /^\/search$/, 'b'],
]

/** The profile that alone published a path; undefined for the others. */
export function findPublishedProfile(method: string, path: string): Profile | undefined {
  return published.find(([methods, paths]) => methods.test(method) && paths.test(path))?.[2]
}

/** The profile that a request states, in a header or as a parameter of the accepted media type. */
export function readStatedProfile(c: RequestContext): { readonly profile?: Profile; readonly wrong?: string } {
  const stated = c.req.header('x-api-profile') ?? /;\s*profile="?([^",;]*)/i.exec(c.req.header('accept') ?? '')?.[1]
  if (stated === undefined) return {}
  const profile = profiles.find((known) => known === stated.trim().toLowerCase())
  return profile === undefined ? { wrong: stated } : { profile }
}

/** @throws AppError INVALID_PARAMETER for a profile that does not exist. */
export function refuseProfile(stated: string): never {
  throw publicParameterError('X-API-Profile', stated, { allowed: ['A', 'B'] })
}
