import createFetchClient from 'openapi-fetch'
import type { Client } from 'openapi-fetch'
import type { PathsOfA } from './profile-a.ts'
import type { PathsOfB } from './profile-b.ts'

export type { ComponentsOfA } from './profile-a.ts'
export type { ComponentsOfB } from './profile-b.ts'

/** Where the server is, and what opens it. */
type ClientOptions<Profile extends 'a' | 'b'> = {
  /** The public URL of the server, such as `https://tripline.example`. */
  readonly baseUrl: string
  /** An API key: `tk_...`. */
  readonly apiKey: string
  /** `a` for camelCase and pages from 0, `b` for snake_case and pages from 1. */
  readonly profile: Profile
  /** What sends requests; default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** The typed client of each profile, with the paths of its OpenAPI document. */
type ClientOf<Profile extends 'a' | 'b'> = Client<Profile extends 'a' ? PathsOfA : PathsOfB>

/**
 * Creates a client of the public API in a profile. Paths, parameters, bodies and answers have the types of the OpenAPI
 * document: `await client.GET('/api/v1/alerts', { params: { query: { severity: ['high'] } } })` returns `data` or `error`.
 */
export function createClient<Profile extends 'a' | 'b'>(options: ClientOptions<Profile>): ClientOf<Profile> {
  const { baseUrl, apiKey, profile, fetch } = options
  return createFetchClient<Profile extends 'a' ? PathsOfA : PathsOfB>({
    baseUrl,
    ...(fetch && { fetch }),
    headers: { Authorization: `Bearer ${apiKey}`, 'X-API-Profile': profile.toUpperCase() },
    // Lists are separated by commas.
    querySerializer: { array: { style: 'form', explode: false } },
  })
}
