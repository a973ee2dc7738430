import type { DOMParser, Document, Element } from '@xmldom/xmldom'
import { limits } from '../limits.ts'
import { SignOnError } from './sign-on-error.ts'

const protocolNamespace = 'urn:oasis:names:tc:SAML:2.0:protocol'
const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion'
const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'

/** Algorithms of signatures and digests that are verified; all with SHA-1 are refused. */
const algorithms: { readonly [element: string]: readonly string[] } = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
}

/**
 * Refuses what no response of a provider needs, before anything reads it: other bytes than UTF-8, comments, declarations and
 * processing instructions, too many elements, and levels beyond those of SAML.
 *
 * @throws SignOnError
 */
export function decodeDocument(base64: string): string {
  if (!/^[\w+/\s]+={0,2}\s*$/.test(base64)) throw refuse('the response is not base64')
  const text = decodeUtf8(Buffer.from(base64, 'base64'))
  const declaration = /^\s*<\?xml\s[^<>?]*\?>/.exec(text)?.[0] ?? ''
  checkExtent(text.slice(declaration.length))
  return text
}

/**
 * Checks the frame of a response: one `Response` that succeeded, for this address, with one `Assertion` directly in it, ids that
 * stand once, and algorithms that are safe. It proves nothing by itself; what is signed is read from the verified bytes alone.
 *
 * @throws SignOnError
 */
export async function checkDocument(text: string, acsUrl: string): Promise<void> {
  const elements = listElements(await parse(text))
  const [root] = elements
  if (root?.localName !== 'Response' || root.namespaceURI !== protocolNamespace) throw refuse('it is no response of SAML 2.0')
  checkStatus(elements)
  const destination = root.getAttribute('Destination')
  if (destination !== null && destination !== '' && destination !== acsUrl) throw refuse('the response is for another address')
  if (elements.some(({ localName }) => localName === 'EncryptedAssertion')) {
    throw new SignOnError('provider_unusable', 'the assertion is encrypted; have the provider sign it and not encrypt it')
  }
  // Wherever a second one stands, it is there to be taken for the first.
  const assertions = elements.filter(({ localName }) => localName === 'Assertion')
  const isDirect = assertions.length === 1 && assertions[0]?.parentNode === root && assertions[0].namespaceURI === assertionNamespace
  if (!isDirect) throw refuse('the response must have one assertion, directly in it')
  const ids = elements.flatMap((element) => ['ID', 'Id', 'id'].map((name) => element.getAttribute(name) ?? '').filter((id) => id !== ''))
  if (new Set(ids).size !== ids.length) throw refuse('an id stands in the response twice')
  for (const element of elements) checkAlgorithm(element)
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refuse('the response is not UTF-8')
  }
}

/** Walks tags and their quoted values without a parser, so that nothing is built of a text that is refused. */
function checkExtent(text: string): void {
  const { xmlElementsMax, xmlDepthMax } = limits.signOn
  let [elementCount, depth] = [0, 0]
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const first = text[at + 1]
    if (first === '!' || first === '?') throw refuse('the response has a comment, a declaration or a processing instruction')
    const end = findTagEnd(text, at)
    if (first === '/') depth--
    else if (++elementCount > xmlElementsMax) throw refuse(`the response has more than ${xmlElementsMax} elements`)
    else if (text[end - 1] !== '/' && ++depth > xmlDepthMax) throw refuse(`the response nests deeper than ${xmlDepthMax} levels`)
    at = end
  }
}

/** The position of the `>` that ends a tag: one in a quoted value does not. */
function findTagEnd(text: string, start: number): number {
  let quote: string | undefined
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (quote !== undefined) quote = character === quote ? undefined : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at
  }
  throw refuse('the response ends within a tag')
}

async function parse(text: string): Promise<Document> {
  const problems: string[] = []
  const note = (problem: unknown): void => {
    problems.push(String(problem))
  }
  const { DOMParser: Parser } = await import('@xmldom/xmldom')
  const parser = new Parser({ errorHandler: { warning: note, error: note, fatalError: note } })
  const document = tryParse(parser, text)
  if (document?.documentElement === undefined || problems.length > 0) throw refuse('the response is not well-formed')
  return document
}

function tryParse(parser: DOMParser, text: string): Document | undefined {
  try {
    return parser.parseFromString(text, 'text/xml')
  } catch {
    // The parser throws for some of what is not well-formed.
    return undefined
  }
}

function listElements(document: Document): readonly Element[] {
  return Array.from(document.getElementsByTagName('*'))
}

function checkStatus(elements: readonly Element[]): void {
  const codes = elements.filter(({ localName, namespaceURI }) => localName === 'StatusCode' && namespaceURI === protocolNamespace)
  const values = codes.map((code) => /[^:]*$/.exec(code.getAttribute('Value') ?? '')?.[0] ?? '')
  if (values[0] === 'Success') return
  throw new SignOnError('provider_refused', values.filter((value) => /^\w{1,60}$/.test(value)).join(', ') || 'it states no status')
}

function checkAlgorithm(element: Element): void {
  const allowed = element.namespaceURI === signatureNamespace ? algorithms[element.localName] : undefined
  if (allowed === undefined || allowed.includes(element.getAttribute('Algorithm') ?? '')) return
  throw refuse('the signature must be by RSA with SHA-256 or SHA-512')
}

function refuse(particulars: string): SignOnError {
  return new SignOnError('untrusted', particulars)
}
