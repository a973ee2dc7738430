import { getErrorMessage } from '@tripline/common/error-message'
import type { TokenBody } from '@tripline/contract'

/** The credentials of a login. */
export type DemoCredentials = { readonly email: string; readonly password: string }

/** Sends a request and returns the response body; a request with a body is a POST by default. */
export type ApiClient = <Body>(path: string, request?: { readonly method?: string; readonly body: string }) => Promise<Body>

/** A request that the server answered with an error. */
export class RefusedError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Makes a client that sends a token or a key with each request. */
export function createApiClient(origin: string, bearer: string | undefined): ApiClient {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  return async <Body>(path: string, request?: { readonly method?: string; readonly body: string }) => {
    const headers = request === undefined ? authorization : { 'content-type': 'application/json', ...authorization }
    const sent = fetch(origin + path, { ...(request && { method: 'POST' }), ...request, headers })
    const response = await sent.catch((error: unknown) => {
      // The error of `fetch` says only that it failed.
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
      throw new Error(`${origin}${path} gave no answer: ${getErrorMessage(cause)}`, { cause: error })
    })
    if (!response.ok) throw new RefusedError(response.status, `${origin}${path} answered ${response.status}: ${await response.text()}`)
    return await response.json() as Body
  }
}

/** Logs in, and returns a client whose token is valid for 15 minutes. */
export async function openClientSession(origin: string, credentials: DemoCredentials): Promise<ApiClient> {
  const request = { body: JSON.stringify(credentials) }
  const { access_token: token } = await createApiClient(origin, undefined)<TokenBody>('/v1/auth/login', request)
  return createApiClient(origin, token)
}
