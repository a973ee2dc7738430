import { isJsonObject } from '@tripline/common/json'
import type { TokenClaims } from '@tripline/model/access/role-mapping'
import { limits } from '../limits.ts'
import { SignOnError } from './sign-on-error.ts'

/** An assertion whose signature was verified: who logged in, in answer to which request. */
export type SamlAssertion = {
  readonly id: string
  readonly issuer: string
  /** The id of the request that it answers. */
  readonly requestId: string
  readonly subject: string
  readonly claims: TokenClaims
}

type Expected = { readonly issuer: string; readonly acsUrl: string; readonly nowMs: number }

/** An element as `xml2js` gives it: attributes under `$`, its text under `_`, lists of elements by their local names. */
type XmlElement = { readonly [name: string]: unknown }

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** The names under which providers state what OpenID Connect has a claim for, the first that is there. */
const attributesOfClaims = {
  email: [
    'email', 'mail', 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress', 'urn:oid:0.9.2342.19200300.100.1.3',
  ],
  name: ['name', 'displayName', 'http://schemas.microsoft.com/identity/claims/displayname', 'urn:oid:2.16.840.1.113730.3.1.241'],
  groups: ['groups', 'memberOf', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1'],
} as const

/** What providers call a login with a second factor, as a context and as a method. */
const secondFactors = ['https://refeds.org/profile/mfa', 'http://schemas.microsoft.com/claims/multipleauthn']
const methodsAttribute = 'http://schemas.microsoft.com/claims/authnmethodsreferences'

/**
 * Reads a verified assertion as the profile of SAML for browsers demands: of the issuer, for this address, in answer to a request,
 * and valid now. The audience is checked with the signature. The attributes become claims, as of OpenID Connect.
 *
 * @throws SignOnError
 */
export function readAssertion(assertion: XmlElement, expected: Expected): SamlAssertion {
  const { ID: id, Version: version, IssueInstant: issuedAt } = readAttributes(assertion)
  if (version !== '2.0' || id === undefined || id === '') throw refuse('the assertion is not of SAML 2.0')
  const issuer = readText(readOne(assertion, 'Issuer'))
  if (issuer !== expected.issuer) throw refuse(`the assertion is of the issuer '${cut(issuer)}'`)
  checkNotBefore(issuedAt, expected, 'the assertion')
  const subject = readOne(assertion, 'Subject')
  const requestId = readConfirmation(subject, expected)
  checkConditions(readOne(assertion, 'Conditions'), expected)
  const contexts = readStatements(assertion, expected)
  const nameId = readSubject(readOne(subject, 'NameID'))
  return { id, issuer, requestId, subject: nameId, claims: readClaims(assertion, { sub: nameId, iss: issuer }, contexts) }
}

/** The id of the request of the first confirmation that holds. A provider may state several, for other places. */
function readConfirmation(subject: XmlElement, expected: Expected): string {
  const problems: SignOnError[] = []
  for (const confirmation of listElements(subject, 'SubjectConfirmation')) {
    try {
      return checkConfirmation(confirmation, expected)
    } catch (error) {
      if (!(error instanceof SignOnError)) throw error
      problems.push(error)
    }
  }
  throw problems[0] ?? refuse('the assertion confirms no subject')
}

function checkConfirmation(confirmation: XmlElement, expected: Expected): string {
  if (readAttributes(confirmation)['Method'] !== bearer) throw refuse('the subject is not confirmed for the bearer')
  const { Recipient, NotBefore, NotOnOrAfter, InResponseTo } = readAttributes(readOne(confirmation, 'SubjectConfirmationData'))
  if (Recipient !== expected.acsUrl) throw refuse(`the assertion is for the recipient '${cut(Recipient ?? '')}'`)
  if (NotOnOrAfter === undefined) throw refuse('the assertion does not state when it expires')
  checkNotBefore(NotBefore, expected, 'the assertion')
  checkNotAfter(NotOnOrAfter, expected, 'the assertion')
  if (InResponseTo === undefined || InResponseTo === '') throw new SignOnError('not_started', 'the assertion answers no request')
  return InResponseTo
}

function checkConditions(conditions: XmlElement, expected: Expected): void {
  const { NotBefore, NotOnOrAfter } = readAttributes(conditions)
  checkNotBefore(NotBefore, expected, 'the assertion')
  checkNotAfter(NotOnOrAfter, expected, 'the assertion')
  // The library checks their texts, and a restriction that it does not find would be none.
  if (listElements(conditions, 'AudienceRestriction').length === 0) throw refuse('the assertion states no audience')
}

/** The contexts of the logins that the assertion states: at least one, whose session is not over. */
function readStatements(assertion: XmlElement, expected: Expected): readonly string[] {
  const statements = listElements(assertion, 'AuthnStatement')
  if (statements.length === 0) throw refuse('the assertion states no login')
  return statements.flatMap((statement) => {
    checkNotAfter(readAttributes(statement)['SessionNotOnOrAfter'], expected, 'the session at the provider')
    return listElements(statement, 'AuthnContext').flatMap((context) => listElements(context, 'AuthnContextClassRef').map(readText))
  })
}

function readSubject(nameId: XmlElement): string {
  const subject = readText(nameId)
  if (readAttributes(nameId)['Format'] === transient) {
    throw new SignOnError('provider_unusable', 'the name id is transient; have the provider state one that stays, such as persistent')
  }
  if (subject !== '' && subject.length <= limits.auth.tokenIdLengthMax) return subject
  throw new SignOnError('provider_unusable', `the name id must have 1 to ${limits.auth.tokenIdLengthMax} characters`)
}

function readClaims(assertion: XmlElement, own: TokenClaims, contexts: readonly string[]): TokenClaims {
  const attributes = listElements(assertion, 'AttributeStatement').flatMap((statement) => listElements(statement, 'Attribute'))
  const stated = new Map<string, string[]>()
  for (const attribute of attributes) {
    const name = readAttributes(attribute)['Name'] ?? ''
    stated.set(name, [...stated.get(name) ?? [], ...listElements(attribute, 'AttributeValue').map(readText)])
  }
  const named = Object.entries(attributesOfClaims).flatMap(([claim, names]) => {
    const values = names.map((name) => stated.get(name)).find((found) => found !== undefined && found.length > 0)
    return values === undefined ? [] : [[claim, claim === 'groups' ? values : values[0]] as const]
  })
  const hasSecondFactor = [...contexts, ...stated.get(methodsAttribute) ?? []].some((text) => secondFactors.includes(text))
  const plain = [...stated].map(([name, values]) => [name, values.length === 1 ? values[0] : values] as const)
  return { ...Object.fromEntries([...plain, ...named]), ...(hasSecondFactor && { amr: ['mfa'] }), ...own }
}

function checkNotBefore(text: string | undefined, { nowMs }: Expected, what: string): void {
  if (text !== undefined && readInstant(text) > nowMs + limits.auth.clockSkewMs) throw refuse(`${what} is not valid yet`)
}

function checkNotAfter(text: string | undefined, { nowMs }: Expected, what: string): void {
  if (text !== undefined && readInstant(text) <= nowMs - limits.auth.clockSkewMs) throw refuse(`${what} has expired`)
}

/** An instant of SAML, which has no other zone than UTC. */
function readInstant(text: string): number {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw refuse(`'${cut(text)}' is no instant`)
  return at
}

/** @throws SignOnError unless the element is there once. */
function readOne(parent: XmlElement, name: string): XmlElement {
  const [first, ...others] = listElements(parent, name)
  if (first !== undefined && others.length === 0) return first
  throw refuse(`the assertion must have one element ${name}`)
}

function listElements(parent: XmlElement, name: string): readonly XmlElement[] {
  const found = Object.hasOwn(parent, name) ? parent[name] : undefined
  // An element with nothing in it is an empty text.
  return Array.isArray(found) ? found.map((one: unknown) => (isJsonObject(one) ? one : { _: one })) : []
}

function readAttributes(element: XmlElement): { readonly [name: string]: string | undefined } {
  const found = element['$']
  return isJsonObject(found) ? (found as { readonly [name: string]: string }) : {}
}

function readText(element: XmlElement): string {
  return typeof element['_'] === 'string' ? element['_'].trim() : ''
}

/** Texts of a provider are shown to admins: short, and on one line. */
function cut(text: string): string {
  return text.slice(0, 200).replaceAll(/[^ -~]/g, '?')
}

function refuse(particulars: string): SignOnError {
  return new SignOnError('untrusted', particulars)
}
