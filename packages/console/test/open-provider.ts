import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { inflateRawSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { SignedXml } from 'xml-crypto'

/** A real identity provider on a port of loopback. */
type RunningProvider = { readonly issuer: string; readonly close: () => void }

export const client = { id: 'tripline', secret: 'a secret of the client' } as const

/** Opens a provider whose users have the claims that are named; its forms take any password. */
export async function openProvider(
  redirectUri: string, users: { readonly [name: string]: { readonly [claim: string]: unknown } },
): Promise<RunningProvider> {
  const http = createServer()
  const issuer = `http://127.0.0.1:${await listen(http)}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => Promise.resolve({ sub: id, ...users[id] }) }),
    pkce: { required: () => true },
  })
  const handle = provider.callback()
  http.on('request', (request, response) => void handle(request, response))
  return {
    issuer,
    close: () => {
      http.close()
      http.closeAllConnections()
    },
  }
}

/** Opens a provider that speaks SAML and asks nothing: its page posts an assertion about Ann at once. */
export async function openSamlProvider(): Promise<RunningProvider & { readonly loginUrl: string; readonly cert: string }> {
  const { key, cert } = createKey()
  const issuer = 'https://idp.example/metadata'
  let loginCount = 0
  const http = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://provider').searchParams
    const text = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString()
    const read = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
    const acsUrl = read(/AssertionConsumerServiceURL="([^"]+)"/)
    const login = { id: `login${++loginCount}`, issuer, acsUrl, requestId: read(/ ID="([^"]+)"/), entityId: read(/<saml:Issuer[^>]*>([^<]+)</) }
    const field = `<input type="hidden" name="SAMLResponse" value="${Buffer.from(signResponse(login, key)).toString('base64')}">`
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<form method="post" action="${acsUrl}">${field}</form><script>document.forms[0].submit()</script>`)
  })
  const port = await listen(http)
  return {
    issuer, cert, loginUrl: `http://127.0.0.1:${port}/sso`,
    close: () => {
      http.close()
      http.closeAllConnections()
    },
  }
}

function createKey(): { readonly key: string; readonly cert: string } {
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=idp', '-keyout', '-', '-out', '-']
  const text = execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [key = '', cert = ''] = text.split(/(?=-----BEGIN CERTIFICATE-----)/)
  return { key, cert }
}

type SamlLogin = {
  readonly id: string
  readonly issuer: string
  readonly acsUrl: string
  readonly requestId: string
  readonly entityId: string
}

function signResponse({ id, issuer, acsUrl, requestId, entityId }: SamlLogin, privateKey: string): string {
  const [now, later] = [Date.now(), Date.now() + 300_000].map((at) => new Date(at).toISOString())
  const attribute = (name: string, value: string): string =>
    `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`
  const xml = '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="r1">'
    + '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>'
    + `<saml:Assertion ID="${id}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${issuer}</saml:Issuer>`
    + '<saml:Subject><saml:NameID>ann</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">'
    + `<saml:SubjectConfirmationData InResponseTo="${requestId}" Recipient="${acsUrl}" NotOnOrAfter="${later}"/>`
    + `</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotOnOrAfter="${later}">`
    + `<saml:AudienceRestriction><saml:Audience>${entityId}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`
    + `<saml:AuthnStatement AuthnInstant="${now}"/><saml:AttributeStatement>${attribute('mail', 'ann@acme.example')}`
    + `${attribute('displayName', 'Ann Lee')}${attribute('groups', 'soc')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
  const canonicalizationAlgorithm = 'http://www.w3.org/2001/10/xml-exc-c14n#'
  const signed = new SignedXml({ privateKey, canonicalizationAlgorithm, signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256' })
  signed.addReference({
    xpath: `//*[@ID='${id}']`, digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonicalizationAlgorithm],
  })
  signed.computeSignature(xml, { location: { reference: `//*[@ID='${id}']/*[local-name()='Issuer']`, action: 'after' } })
  return signed.getSignedXml()
}

/** Logs in at the provider and consents, as far as it asks, until the browser is back at the console. */
export async function passProvider(page: Page, issuer: string, user: string): Promise<void> {
  await page.waitForURL((url) => url.href.startsWith(issuer))
  const login = page.getByPlaceholder('Enter any login')
  const consent = page.getByRole('button', { name: 'Continue' })
  await login.or(consent).waitFor()
  if (await login.isVisible()) {
    await login.fill(user)
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await consent.waitFor()
  }
  await consent.click()
  await page.waitForURL((url) => !url.href.startsWith(issuer))
}

/** A port of loopback that is free now, for a server whose address must be known before it starts. */
export async function findFreePort(): Promise<number> {
  const probe = createServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
