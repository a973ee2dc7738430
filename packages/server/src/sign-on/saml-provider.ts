import { getErrorMessage } from '@tripline/common/error-message'
import { isJsonObject } from '@tripline/common/json'
import type { SAML } from '@node-saml/node-saml'
import { checkClaimsSize } from './check-claims-size.ts'
import { checkDocument } from './check-saml-document.ts'
import { readAssertion } from './read-assertion.ts'
import type { SamlAssertion } from './read-assertion.ts'
import type { SignOnAttempt } from './sign-on-attempt.ts'
import { SignOnError } from './sign-on-error.ts'

/** This server as a service provider of SAML, for one tenant. */
export type ServiceProvider = {
  /** Its entity id, which is also the address of its metadata. */
  readonly entityId: string
  /** Where browsers bring assertions. */
  readonly acsUrl: string
}

/** The provider of a tenant that speaks SAML, and this server as it knows it. */
export type SamlClient = ServiceProvider & {
  readonly issuer: string
  readonly loginUrl: string
  readonly certificates: readonly string[]
}

/** A response to verify, as it is sent to the thread. */
export type SamlTask = { readonly client: SamlClient; readonly document: string; readonly nowMs: number }

/** What the thread answers: the assertion, or why it is refused. */
export type SamlReply =
  | { readonly assertion: SamlAssertion }
  | { readonly refusal: { readonly problem: SignOnError['problem']; readonly particulars: string | undefined } }

/** Ids of XML do not begin with a digit or a hyphen, as a state may. */
const idPrefix = '_'

/** The address at which a user logs in: a request by the HTTP-Redirect binding, whose id is the state of the attempt. */
export async function buildSamlLoginUrl(client: SamlClient, { state }: Pick<SignOnAttempt, 'state'>): Promise<URL> {
  const saml = await openSaml(client, () => `${idPrefix}${state}`)
  return new URL(await saml.getAuthorizeUrlAsync('', undefined, {}))
}

/** The state of the attempt that an assertion answers. */
export function getStateOf({ requestId }: SamlAssertion): string | undefined {
  return requestId.startsWith(idPrefix) ? requestId.slice(idPrefix.length) : undefined
}

/**
 * Verifies the decoded response that a browser brought. It takes long for the thread of the server; `SamlVerifier` runs it elsewhere.
 *
 * @throws SignOnError
 */
export async function verifySamlDocument(client: SamlClient, document: string, nowMs: number): Promise<SamlAssertion> {
  await checkDocument(document, client.acsUrl)
  const assertion = readAssertion(await verifySignature(client, document), { ...client, nowMs })
  checkClaimsSize(assertion.claims)
  return assertion
}

/** The metadata of this server, which providers read. */
export async function printSamlMetadata(own: ServiceProvider): Promise<string> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  return generateServiceProviderMetadata({
    issuer: own.entityId, callbackUrl: own.acsUrl, identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    wantAssertionsSigned: true, generateUniqueId: () => `${idPrefix}metadata`,
  })
}

/** The assertion, read from the bytes whose signature was verified and from nothing else. */
async function verifySignature(client: SamlClient, document: string): Promise<{ readonly [name: string]: unknown }> {
  const saml = await openSaml(client, () => `${idPrefix}unused`)
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: Buffer.from(document).toString('base64') }).catch(explainRefusal)
  const assertion = profile?.getAssertion?.()['Assertion']
  if (!isJsonObject(assertion)) throw new SignOnError('untrusted', 'the response has no assertion')
  return assertion
}

/** The library refuses a response by errors of no particular kind, and what it was given is the provider's. */
function explainRefusal(error: unknown): never {
  throw new SignOnError('untrusted', getErrorMessage(error).slice(0, 200).replaceAll(/[^ -~]/g, '?'))
}

async function openSaml({ issuer, loginUrl, certificates, entityId, acsUrl }: SamlClient, generateUniqueId: () => string): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml')
  return new SAML({
    issuer: entityId, audience: entityId, callbackUrl: acsUrl, entryPoint: loginUrl, idpIssuer: issuer, idpCert: [...certificates],
    wantAssertionsSigned: true, wantAuthnResponseSigned: false, identifierFormat: null, disableRequestedAuthnContext: true,
    generateUniqueId,
    // The library has no clock to give it and no store that several processes share: `read-assertion.ts` checks times and requests.
    acceptedClockSkewMs: -1, validateInResponseTo: ValidateInResponseTo.never,
  })
}
