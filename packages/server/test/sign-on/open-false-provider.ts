import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { createServer } from 'node:http'
import { listenOnLoopback } from './listen-on-loopback.ts'
import { clientId } from './open-oidc-provider.ts'

/** What a provider gets wrong: claims that differ, another key, other metadata, or another status of its token endpoint. */
export type Falsehood = {
  readonly claims?: { readonly [claim: string]: unknown }
  readonly isSignedByAnother?: true
  readonly isUnsigned?: true
  readonly metadata?: { readonly [name: string]: unknown }
  readonly tokenStatus?: number
}

type FalseProvider = {
  readonly issuer: string
  /** Sets what it gets wrong from now on, and the nonce of the login that comes. */
  readonly lie: (falsehood: Falsehood, nonce: string) => void
  /** The bodies that its token endpoint got. */
  readonly tokenRequests: readonly string[]
  readonly close: () => Promise<void>
}

/** An identity provider that signs what a test wants. */
export async function openFalseProvider(): Promise<FalseProvider> {
  const [own, other] = [await generateKeyPair('ES256', { extractable: true }), await generateKeyPair('ES256')]
  const jwk = { ...await exportJWK(own.publicKey), alg: 'ES256', use: 'sig', kid: 'k1' }
  let [falsehood, nonce]: [Falsehood, string] = [{}, '']
  const tokenRequests: string[] = []
  const http = createServer()
  const { url: issuer, close } = await listenOnLoopback(http)
  const createIdToken = async (): Promise<string> => {
    const seconds = Math.floor(Date.now() / 1_000)
    const claims = { iss: issuer, sub: 'ann', aud: clientId, iat: seconds, exp: seconds + 300, nonce, groups: ['soc'], ...falsehood.claims }
    if (falsehood.isUnsigned === true) {
      const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
      return `${encode({ alg: 'none' })}.${encode(claims)}.`
    }
    const { privateKey } = falsehood.isSignedByAnother === true ? other : own
    return await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey)
  }
  const answer = async (path: string, body: string): Promise<readonly [status: number, body: object]> => {
    if (path === '/.well-known/openid-configuration') {
      return [200, {
        issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'], subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['ES256'],
        authorization_response_iss_parameter_supported: true, ...falsehood.metadata,
      }]
    }
    if (path === '/jwks') return [200, { keys: [jwk] }]
    tokenRequests.push(body)
    if (falsehood.tokenStatus !== undefined) return [falsehood.tokenStatus, { error: 'invalid_grant' }]
    return [200, { access_token: 'a token', token_type: 'Bearer', id_token: await createIdToken() }]
  }
  http.on('request', (request, response) => {
    const respond = async (): Promise<void> => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(Buffer.from(piece as Uint8Array))
      const [status, body] = await answer(request.url ?? '', Buffer.concat(pieces).toString())
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    void respond()
  })
  return {
    issuer, tokenRequests, close,
    lie: (next, expected) => {
      falsehood = next
      nonce = expected
    },
  }
}
