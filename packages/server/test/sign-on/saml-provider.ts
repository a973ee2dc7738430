import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive]

/** Algorithms by which a provider of tests signs, with its digest. */
const algorithms = {
  'rsa-sha256': ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  'rsa-sha512': ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  'rsa-sha1': ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2000/09/xmldsig#sha1'],
  'hmac-sha1': ['http://www.w3.org/2000/09/xmldsig#hmac-sha1', 'http://www.w3.org/2001/04/xmlenc#sha256'],
} as const

/** A key with a certificate that it signs itself. */
export type SamlKey = { readonly key: string; readonly cert: string }

/** What is put into an assertion; the rest is right. */
export type AssertionFacts = {
  readonly id?: string
  readonly issuer?: string
  readonly nameId?: string
  readonly nameIdFormat?: string
  readonly recipient?: string
  readonly audience?: string | undefined
  readonly requestId?: string | undefined
  readonly attributes?: { readonly [name: string]: readonly string[] }
  readonly context?: string
  /** Milliseconds around the instant of the login. */
  readonly notBeforeMs?: number
  readonly notAfterMs?: number
  readonly sessionEndsMs?: number
  readonly hasStatement?: boolean
}

type Address = { readonly entityId: string; readonly acsUrl: string; readonly requestId: string; readonly nowMs: number }

export const samlIssuer = 'https://idp.example/metadata'

export function createSamlKey(name = 'idp', type: readonly string[] = ['rsa:2048']): SamlKey {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-saml-'))
  try {
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
    execFileSync('openssl', ['req', '-x509', '-newkey', ...type, '-nodes', '-days', '30', ...files, '-subj', `/CN=${name}`], { stdio: 'ignore' })
    return { key: readFileSync(join(folder, 'key.pem'), 'utf8'), cert: readFileSync(join(folder, 'cert.pem'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The request of a login by the HTTP-Redirect binding. */
export function readSamlRequest(url: string): { readonly xml: string; readonly id: string; readonly acsUrl: string; readonly entityId: string } {
  const xml = inflateRawSync(Buffer.from(new URL(url).searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  const read = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? ''
  return {
    xml, id: read(/ ID="([^"]+)"/), acsUrl: read(/AssertionConsumerServiceURL="([^"]+)"/), entityId: read(/<saml:Issuer[^>]*>([^<]+)</),
  }
}

/** An assertion as providers write it, not signed. */
export function buildAssertion({ entityId, acsUrl, requestId, nowMs }: Address, facts: AssertionFacts = {}): string {
  const at = (offsetMs: number): string => new Date(nowMs + offsetMs).toISOString()
  const { id = 'a1', issuer = samlIssuer, nameId = 'ann', recipient = acsUrl, notBeforeMs = -1_000, notAfterMs = 300_000 } = facts
  const audience = 'audience' in facts ? facts.audience : entityId
  const answered = 'requestId' in facts ? facts.requestId : requestId
  const { attributes = { email: ['ann@acme.example'], displayName: ['Ann Lee'], groups: ['soc', 'all'] } } = facts
  const stated = Object.entries(attributes).map(([name, values]) =>
    `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`)
  const format = facts.nameIdFormat ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
  const context = facts.context ?? 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
  const statement = facts.hasStatement === false ? '' : `<saml:AuthnStatement AuthnInstant="${at(0)}"`
    + `${facts.sessionEndsMs === undefined ? '' : ` SessionNotOnOrAfter="${at(facts.sessionEndsMs)}"`}>`
    + `<saml:AuthnContext><saml:AuthnContextClassRef>${context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${at(0)}">`
    + `<saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${format}">${nameId}</saml:NameID>`
    + '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData '
    + `${answered === undefined ? '' : `InResponseTo="${answered}" `}NotOnOrAfter="${at(notAfterMs)}" Recipient="${recipient}"/>`
    + `</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(notBeforeMs)}" NotOnOrAfter="${at(notAfterMs)}">`
    + `${audience === undefined ? '' : `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`}`
    + `</saml:Conditions>${statement}<saml:AttributeStatement>${stated.join('')}</saml:AttributeStatement></saml:Assertion>`
}

/** A response around an assertion. */
export function buildResponse({ acsUrl, requestId, nowMs }: Address, assertion: string, status = 'Success'): string {
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="r1" Version="2.0" IssueInstant="${new Date(nowMs).toISOString()}" `
    + `Destination="${acsUrl}" InResponseTo="${requestId}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${samlIssuer}</saml:Issuer>`
    + `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${assertion}</samlp:Response>`
}

type Signing = { readonly algorithm?: keyof typeof algorithms; readonly id?: string; readonly hasKeyInfo?: boolean }

/** Signs the element with an id, the assertion if none is named. */
export function signXml(xml: string, { key, cert }: SamlKey, { algorithm = 'rsa-sha256', id = 'a1', hasKeyInfo = false }: Signing = {}): string {
  const [signatureAlgorithm, digestAlgorithm] = algorithms[algorithm]
  const isHmac = algorithm === 'hmac-sha1'
  const signed = new SignedXml({
    privateKey: isHmac ? cert : key, signatureAlgorithm, canonicalizationAlgorithm: exclusive, ...(hasKeyInfo && { publicCert: cert }),
  })
  if (isHmac) signed.enableHMAC()
  signed.addReference({ xpath: `//*[@ID='${id}']`, transforms, digestAlgorithm })
  signed.computeSignature(xml, { location: { reference: `//*[@ID='${id}']/*[local-name()='Issuer']`, action: 'after' } })
  return signed.getSignedXml()
}
