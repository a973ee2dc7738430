import type { TokenClaims } from '@tripline/model/access/role-mapping'
import { createHash } from 'node:crypto'
import type { Configuration, CustomFetch } from 'openid-client'
import { EgressError } from '../egress/egress-error.ts'
import type { Egress } from '../egress/egress.ts'
import { limits } from '../limits.ts'
import { checkClaimsSize } from './check-claims-size.ts'
import type { SignOnAttempt } from './sign-on-attempt.ts'
import { SignOnError } from './sign-on-error.ts'

/** The client of a tenant at its identity provider. */
export type OidcClient = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
  /** The way to the provider. */
  readonly egress: Egress
}

type Challenge = Pick<SignOnAttempt, 'state' | 'nonce' | 'verifier'>

/**
 * The address at which a user logs in: authorization code flow with PKCE (OpenID Connect Core, RFC 7636). Reads the provider's
 * configuration first, whose issuer must be the one that is set.
 *
 * @throws SignOnError
 */
export async function buildLoginUrl(client: OidcClient, { state, nonce, verifier }: Challenge): Promise<URL> {
  return await explainFailures(async () => {
    const { buildAuthorizationUrl } = await import('openid-client')
    return buildAuthorizationUrl(await discover(client), {
      redirect_uri: client.redirectUri, scope: client.scopes.join(' '), state, nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256',
    })
  })
}

/**
 * Exchanges the code of a login for the claims of its user. The response must be of the issuer to which the user was sent (RFC
 * 9207), and the ID token signed with its keys, for this client, of this login, and valid now.
 *
 * @throws SignOnError
 */
export async function redeemCode(client: OidcClient, query: string, { state, nonce, verifier }: Challenge): Promise<TokenClaims> {
  const claims = await explainFailures(async () => {
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
    const configuration = await discover(client)
    const tokens = await authorizationCodeGrant(configuration, new URL(`${client.redirectUri}${query}`), {
      expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true,
    })
    const stated = tokens.claims()
    if (stated === undefined) throw new SignOnError('untrusted', 'there is no ID token')
    // Many providers state groups there alone. What is signed counts first.
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, stated.sub) : {}
    return { ...more, ...stated }
  })
  checkClaimsSize(claims)
  return claims
}

async function discover(client: OidcClient): Promise<Configuration> {
  const oidc = await import('openid-client')
  const { issuer, clientId, clientSecret } = client
  const url = URL.parse(issuer)
  if (url === null) throw new SignOnError('provider_unusable', 'the issuer is no URL')
  const fetchOutside = createFetch(client.egress)
  // Addresses without TLS are refused by `egress`, but for networks that the operator allows.
  const execute = url.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
  const found = await oidc.discovery(url, clientId, undefined, undefined, { execute, [oidc.customFetch]: fetchOutside })
  const server = found.serverMetadata()
  // The default of the standard where a provider states none.
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
  const authenticate = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
  const authentication = authenticate(clientSecret)
  const metadata = { [oidc.clockTolerance]: limits.auth.clockSkewMs / 1_000 }
  const configuration = new oidc.Configuration(server, clientId, metadata, authentication)
  configuration[oidc.customFetch] = fetchOutside
  for (const apply of execute) apply(configuration)
  // The signature of the ID token is verified although it came straight from the provider.
  oidc.enableNonRepudiationChecks(configuration)
  return configuration
}

/** The library's requests through `egress`, which follows no redirect. */
function createFetch(egress: Egress): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`the method ${method} is not used by this login`)
    const form = body instanceof URLSearchParams ? body.toString() : body
    if (form !== undefined && form !== null && typeof form !== 'string') throw new Error('a request of this login has a form as its body')
    const response = await egress({
      method, url, headers, timeoutMs: limits.signOn.requestMs, bytesMax: limits.signOn.responseBytesMax,
      ...(typeof form === 'string' && { body: form }),
    })
    // What was decoded is not encoded any more.
    const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = response.headers
    const stated = Object.entries(rest).filter((header): header is [string, string] => header[1] !== undefined)
    return new Response(new Uint8Array(response.body), { status: response.status, headers: stated })
  }
}

/** What is wrong with the provider's answers rather than with what they state. */
const unusableCodes: readonly string[] = [
  'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR', 'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA', 'OAUTH_HTTP_REQUEST_FORBIDDEN', 'OAUTH_UNSUPPORTED_OPERATION',
]

/** Says in words what failed, with nothing that the provider made secret. */
async function explainFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  const { AuthorizationResponseError, ClientError, ResponseBodyError } = await import('openid-client')
  try {
    return await work()
  } catch (error) {
    const causes = listCauses(error)
    const known = causes.find((cause) => cause instanceof SignOnError)
    if (known !== undefined) throw known
    const unreachable = causes.find((cause) => cause instanceof EgressError)
    if (unreachable !== undefined) throw new SignOnError('provider_unreachable', unreachable.message)
    if (error instanceof AuthorizationResponseError) {
      throw new SignOnError(error.error === 'access_denied' ? 'cancelled' : 'provider_refused', cut(error.error))
    }
    if (error instanceof ResponseBodyError) throw new SignOnError('provider_refused', cut(error.error))
    if (error instanceof ClientError) {
      const [problem, text] = [unusableCodes.includes(error.code ?? '') ? 'provider_unusable' : 'untrusted', causes.at(-1)] as const
      throw new SignOnError(problem, text instanceof Error ? cut(text.message) : undefined)
    }
    throw error
  }
}

function listCauses(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (let at: unknown = error; at !== undefined && causes.length < 8; at = at instanceof Error ? at.cause : undefined) causes.push(at)
  return causes.filter((cause) => cause instanceof Error)
}

/** Texts of a provider are shown to admins: short, and on one line. */
function cut(text: string): string {
  return text.slice(0, 200).replaceAll(/[^ -~]/g, '?')
}
