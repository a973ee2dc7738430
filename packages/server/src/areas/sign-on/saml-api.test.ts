import { signOnSchema, tokenSchema } from '@tripline/contract'
import { onlyTenant } from '@tripline/model/tenant'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { buildAssertion, buildResponse, createSamlKey, readSamlRequest, samlIssuer, signXml } from '../../../test/sign-on/saml-provider.ts'
import type { AssertionFacts, SamlKey } from '../../../test/sign-on/saml-provider.ts'
import { limits } from '../../limits.ts'

const publicUrl = 'http://console.example'
const base = `/v1/auth/saml/${onlyTenant}`
const loginUrl = 'https://idp.example/sso?from=tripline'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

let [own, other]: SamlKey[] = []
let server: TestServer

const open = async (options: { readonly statePath?: string; readonly startedAt?: number } = {}): Promise<TestServer> => {
  const opened = await openTestServer([], { publicUrl, ...options })
  await opened.call('PATCH', '/v1/settings', { body: { role_mapping: [{ claim: 'groups', op: 'contains', value: 'soc', role: 'analyst' }] } })
  return opened
}

beforeAll(async () => {
  ;[own, other] = [createSamlKey(), createSamlKey('other')]
  server = await open()
})

const settings = (change: object = {}): object => ({
  protocol: 'saml', enabled: true, enforced: false, issuer: samlIssuer, client_id: '', login_url: loginUrl, certificates: [own!.cert],
  email_domains: ['acme.example'], break_glass_user_id: null, ...change,
})
const put = (change: object = {}, at = server) => at.call('PUT', '/v1/settings/sso', { body: settings(change) })
const read = async () => signOnSchema.parse((await server.call('GET', '/v1/settings/sso')).body)
const cookieOf = ({ headers }: TestResponse, name: string): string => new RegExp(`${name}=[^;]*`).exec(headers['set-cookie'] ?? '')?.[0] ?? ''

type Login = { readonly cookie: string; readonly requestId: string; readonly acsUrl: string; readonly entityId: string }

const readLogin = (answered: TestResponse, url: string): Login => {
  const { id, acsUrl, entityId } = readSamlRequest(url)
  return { cookie: cookieOf(answered, 'tripline_sign_on'), requestId: id, acsUrl, entityId }
}

async function start(at = server): Promise<Login> {
  const answered = await at.call('GET', '/v1/auth/oidc/start', { token: null })
  return readLogin(answered, answered.headers['location'] ?? '')
}

/** The response of the provider to a login, signed as it should be. */
const respondTo = (login: Login, facts: AssertionFacts = {}, at = server): string =>
  signXml(buildResponse({ ...login, nowMs: at.io.nowMs }, buildAssertion({ ...login, nowMs: at.io.nowMs }, facts)), own!, { id: facts.id ?? 'a1' })

const post = (xml: string, at = server, path = `${base}/acs`) => at.call('POST', path, {
  token: null, headers: form, body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: '' }).toString(),
})

/** Posts a response as the provider's page has the browser do, without the cookie, and follows the redirect with it. */
async function comeBack(login: Pick<Login, 'cookie'>, xml: string, at = server): Promise<TestResponse> {
  const posted = await post(xml, at)
  if (!(posted.headers['location'] ?? '').startsWith('/v1/auth/saml/finish?code=')) return posted
  return await at.call('GET', posted.headers['location']!, { token: null, headers: { cookie: login.cookie } })
}

async function listEntries(action: string, at = server): Promise<readonly object[]> {
  await at.app.trail.flush()
  const { entries } = await at.app.state.audit.list(onlyTenant, { limit: 20 })
  return entries.filter((entry) => entry.action === action).map(({ outcome, diff }) => ({ outcome, ...diff }))
}

const expectRefusal = async (answered: TestResponse, problem: string): Promise<void> => {
  expect([answered.status, answered.headers['location']]).toEqual([303, `/#sign-on=${problem}`])
  expect((await listEntries('session.login'))[0]).toMatchObject({ outcome: 'failed', method: 'saml', reason: problem })
}

let assertionCount = 0
/** An id that no assertion had before. */
const newId = (): string => `a${++assertionCount}x`

describe('a login', () => {
  test('adds the user with the mapped role, opens a session and is recorded', async () => {
    await put()
    const login = await start()
    expect(login).toMatchObject({ acsUrl: `${publicUrl}${base}/acs`, entityId: `${publicUrl}${base}/metadata` })
    const answered = await comeBack(login, respondTo(login, { id: newId() }))
    expect(answered).toMatchObject({ status: 303, headers: { location: '/' } })
    const refreshed = await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie: cookieOf(answered, 'tripline_refresh') } })
    const { access_token: token, user } = tokenSchema.parse(refreshed.body)
    expect(user).toMatchObject({ email: 'ann@acme.example', name: 'Ann Lee', roles: ['analyst'], needs_second_factor: false })
    expect((await server.call('GET', '/v1/alerts', { token })).status).toBe(200)
    expect((await listEntries('session.login'))[0]).toEqual({ outcome: 'success', method: 'saml', issuer: samlIssuer, roles: ['analyst'] })
  })

  test('asks by a request that an attempt alone answers, at the address of the provider', async () => {
    await put()
    const answered = await server.call('GET', '/v1/auth/oidc/start?organization=ann@acme.example', { token: null })
    const url = new URL(answered.headers['location']!)
    expect([url.origin + url.pathname, url.searchParams.get('from')]).toEqual(['https://idp.example/sso', 'tripline'])
    const { xml, id } = readSamlRequest(url.href)
    expect(id).toMatch(/^_[\w-]{43}$/)
    expect(xml).toContain('ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"')
    expect(answered.headers['set-cookie']).toMatch(/SameSite=Lax$/)
  })

  test.for<[title: string, facts: AssertionFacts, claims: object]>([
    ['names of Entra', {
      attributes: {
        'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': ['ann@acme.example'],
        'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups': ['soc'],
        'http://schemas.microsoft.com/identity/claims/displayname': ['Ann Lee'],
      },
    }, { email: 'ann@acme.example', name: 'Ann Lee', groups: ['soc'] }],
    ['names of LDAP by number', { attributes: { 'urn:oid:0.9.2342.19200300.100.1.3': ['ann@acme.example'], 'memberOf': ['soc', 'cn=all'] } },
      { email: 'ann@acme.example', groups: ['soc', 'cn=all'] }],
    ['a second factor as a context', { context: 'https://refeds.org/profile/mfa' }, { amr: ['mfa'] }],
    ['a name of the language', { attributes: { groups: ['soc'], __proto__x: ['a'], constructor: ['b'] } }, { groups: ['soc'], constructor: 'b' }],
    ['attributes that name the subject', { attributes: { groups: ['soc'], sub: ['root'], iss: ['x'] } }, { sub: 'ann', iss: samlIssuer }],
  ])('reads %s', async ([, facts, claims]) => {
    await put()
    const begun = await server.call('POST', '/v1/settings/sso/test')
    const login = readLogin(begun, (begun.body as { readonly url: string }).url)
    await comeBack(login, respondTo(login, { id: newId(), ...facts }))
    expect((await read()).last_test).toMatchObject({ succeeded: true, roles: ['analyst'], claims })
  })

  test('with clocks that differ by less than the tolerance', async () => {
    await put()
    for (const facts of [{ notAfterMs: 1_000 - limits.auth.clockSkewMs }, { notBeforeMs: limits.auth.clockSkewMs }]) {
      const login = await start()
      expect((await comeBack(login, respondTo(login, { id: newId(), ...facts }))).headers['location']).toBe('/')
    }
  })

  test('by each certificate that is stored, as while the provider changes its key', async () => {
    await put({ certificates: [other!.cert, own!.cert] })
    const login = await start()
    expect((await comeBack(login, respondTo(login, { id: newId() }))).headers['location']).toBe('/')
  })

  test('whose response is signed too', async () => {
    await put()
    const login = await start()
    const id = newId()
    const xml = signXml(respondTo(login, { id }), own!, { id: 'r1', algorithm: 'rsa-sha512' })
    expect((await comeBack(login, xml)).headers['location']).toBe('/')
  })
})

describe('refused, and recorded in the trail of the tenant', () => {
  const hour = 3_600_000
  test.for<[title: string, facts: AssertionFacts, problem: string]>([
    ['an assertion that has expired', { notAfterMs: -hour }, 'untrusted'],
    ['an assertion that is valid later', { notBeforeMs: hour }, 'untrusted'],
    ['a session that is over at the provider', { sessionEndsMs: -hour }, 'untrusted'],
    ['an assertion for another audience', { audience: 'https://other.example' }, 'untrusted'],
    ['an assertion without an audience', { audience: undefined }, 'untrusted'],
    ['an assertion for another recipient', { recipient: `${publicUrl}/v1/auth/saml/other/acs` }, 'untrusted'],
    ['an assertion of another issuer', { issuer: 'https://other.example' }, 'untrusted'],
    ['an assertion that states no login', { hasStatement: false }, 'untrusted'],
    ['an assertion that answers no request', { requestId: undefined }, 'not_started'],
    ['an assertion that answers another request', { requestId: `_${'A'.repeat(43)}` }, 'not_started'],
    ['a subject that changes with each login', { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, 'provider_unusable'],
    ['a subject that is too long', { nameId: 'a'.repeat(limits.auth.tokenIdLengthMax + 1) }, 'provider_unusable'],
    ['claims that are too many', { attributes: { groups: Array.from({ length: 600 }, (_, at) => `group ${at} ${'x'.repeat(110)}`) } }, 'provider_unusable'],
    ['a user without a role', { attributes: { groups: ['kitchen'] } }, 'no_role'],
  ])('%s', async ([, facts, problem]) => {
    await put()
    const login = await start()
    await expectRefusal(await comeBack(login, respondTo(login, { id: newId(), ...facts })), problem)
  })

  /** An assertion of the same provider about another user, which is not signed. */
  const forge = (signed: string): string =>
    /<saml:Assertion .*<\/saml:Assertion>/s.exec(signed)![0].replace(/<Signature .*<\/Signature>/s, '').replace(/ ID="[^"]*"/, ' ID="forged"')
      .replace(/(<saml:NameID[^>]*>)[^<]*/, '$1root')
  const assertionOf = (xml: string): string => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0]
  const signatureOf = (xml: string): string => /<Signature .*<\/Signature>/s.exec(xml)![0]
  const replaceAssertion = (xml: string, text: string): string => xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, () => text)
  const withIn = (assertion: string, text: string): string => assertion.replace('</saml:Assertion>', () => `${text}</saml:Assertion>`)

  test.for<[title: string, change: (xml: string) => string]>([
    ['no signature', (xml) => xml.replace(signatureOf(xml), '')],
    ['another name in the signed assertion', (xml) => xml.replace('>ann<', '>root<')],
    ['a comment within the name', (xml) => xml.replace('>ann<', '>ann<!-- -->.root<')],
    ['a forged assertion before the signed one', (xml) => replaceAssertion(xml, forge(xml) + assertionOf(xml))],
    ['a forged assertion after the signed one', (xml) => replaceAssertion(xml, assertionOf(xml) + forge(xml))],
    ['the signed assertion within the forged one', (xml) => replaceAssertion(xml, withIn(forge(xml), assertionOf(xml)))],
    ['the signature in the forged assertion, the signed one behind it',
      (xml) => replaceAssertion(xml, withIn(forge(xml), signatureOf(xml)) + assertionOf(xml).replace(signatureOf(xml), ''))],
    ['the signed assertion in an object of the signature of the forged one', (xml) => replaceAssertion(xml, withIn(forge(xml),
      signatureOf(xml).replace('</Signature>', () => `<Object>${assertionOf(xml).replace(signatureOf(xml), '')}</Object></Signature>`)))],
    ['the forged assertion in extensions', (xml) => xml.replace('<samlp:Status>', () => `<samlp:Extensions>${forge(xml)}</samlp:Extensions><samlp:Status>`)],
    ['the signed assertion in extensions, the forged one in its place', (xml) => replaceAssertion(xml, forge(xml))
      .replace('<samlp:Status>', () => `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions><samlp:Status>`)],
    ['a forged assertion with the id of the signed one',
      (xml) => replaceAssertion(xml, forge(xml).replace('ID="forged"', / ID="a\d+x"/.exec(assertionOf(xml))![0].trim()) + assertionOf(xml))],
    ['a response around the response', (xml) => `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="r2">${forge(xml)}${xml}</samlp:Response>`],
    ['two signatures', (xml) => xml.replace(signatureOf(xml), (text) => text + text)],
    ['an entity', (xml) => `<!DOCTYPE r [<!ENTITY e "root">]>${xml.replace('>ann<', '>&e;<')}`],
    ['a processing instruction', (xml) => xml.replace('<samlp:Status>', '<?x y?><samlp:Status>')],
    ['an assertion that is encrypted as well', (xml) => xml.replace('</samlp:Response>', '<EncryptedAssertion/></samlp:Response>')],
    ['another address', (xml) => xml.replace(/Destination="[^"]*"/, 'Destination="http://console.example/other"')],
    ['levels beyond the limit', (xml) => xml.replace('</samlp:Response>', () => `${'<a>'.repeat(40)}${'</a>'.repeat(40)}</samlp:Response>`)],
    ['elements beyond the limit', (xml) => xml.replace('</samlp:Response>', () => `${'<a/>'.repeat(limits.signOn.xmlElementsMax)}</samlp:Response>`)],
    ['a tag that does not end', (xml) => xml.slice(0, -1)],
    ['elements that do not match', (xml) => xml.replace('</samlp:Response>', '<a></b></samlp:Response>')],
    ['no response', () => '<a/>'],
    ['no XML', () => 'a text'],
  ])('%s', async ([title, change]) => {
    await put()
    const login = await start()
    const xml = respondTo(login, { id: newId() })
    const changed = change(xml)
    expect(changed).not.toBe(xml)
    await expectRefusal(await comeBack(login, changed), title.includes('encrypted') ? 'provider_unusable' : 'untrusted')
    expect((await server.app.state.users.list(onlyTenant)).filter(({ externalIssuer, email }) => externalIssuer === samlIssuer && email === 'root')).toEqual([])
    // The same attempt is good for the response as it came.
    expect((await comeBack(login, xml)).headers['location']).toBe('/')
  })

  test.for<[title: string, sign: (xml: string, id: string) => string]>([
    ['another key', (xml, id) => signXml(xml, other!, { id })],
    ['another key, which the signature brings', (xml, id) => signXml(xml, other!, { id, hasKeyInfo: true })],
    ['SHA-1', (xml, id) => signXml(xml, own!, { id, algorithm: 'rsa-sha1' })],
    ['a secret that is the certificate', (xml, id) => signXml(xml, own!, { id, algorithm: 'hmac-sha1' })],
    ['SHA-1, written with a reference to a character', (xml, id) =>
      signXml(xml, own!, { id, algorithm: 'rsa-sha1' }).replaceAll('#rsa-sha1', '#rsa-sh&#97;1').replaceAll('#sha1', '#sh&#97;1')],
    ['the right key over the response alone', (xml) => signXml(xml, own!, { id: 'r1' })],
  ])('a signature by %s', async ([, sign]) => {
    await put()
    const login = await start()
    const id = newId()
    const address = { ...login, nowMs: server.io.nowMs }
    await expectRefusal(await comeBack(login, sign(buildResponse(address, buildAssertion(address, { id })), id)), 'untrusted')
  })

  test('a login that the provider refused', async () => {
    await put()
    const login = await start()
    await expectRefusal(await comeBack(login, buildResponse({ ...login, nowMs: server.io.nowMs }, '', 'Requester')), 'provider_refused')
  })

  test('a response that is not base64, and one that is not UTF-8', async () => {
    await put()
    for (const text of ['<a/>', '', '%00', Buffer.from([0xff, 0xfe, 0x3c, 0]).toString('base64')]) {
      const posted = await server.call('POST', `${base}/acs`, { token: null, headers: form, body: new URLSearchParams({ SAMLResponse: text }).toString() })
      if (text === '') expect(posted.status).toBe(400)
      else await expectRefusal(await server.call('GET', posted.headers['location']!, { token: null }), 'untrusted')
    }
  })

  test('a form beyond the limit, before it is read, and one of another type', async () => {
    const body = `SAMLResponse=${'A'.repeat(limits.signOn.assertionFormBytesMax)}`
    expect((await server.call('POST', `${base}/acs`, { token: null, headers: form, body })).status).toBe(413)
    expect((await server.call('POST', `${base}/acs`, { token: null, body: { SAMLResponse: 'AAAA' } })).status).toBe(415)
  })

  test('an assertion of another browser, and a code that is used twice or made up', async () => {
    await put()
    const [mine, theirs] = [await start(), await start()]
    const { location = '' } = (await post(respondTo(theirs, { id: newId() }))).headers
    await expectRefusal(await server.call('GET', location, { token: null, headers: { cookie: mine.cookie } }), 'not_started')
    await expectRefusal(await server.call('GET', location, { token: null, headers: { cookie: theirs.cookie } }), 'not_started')
    await expectRefusal(await server.call('GET', '/v1/auth/saml/finish?code=c1', { token: null, headers: { cookie: theirs.cookie } }), 'not_started')
  })

  test('an assertion for another tenant, and any for a tenant without such a provider', async () => {
    await put()
    await server.tokenOf(['admin'], 'other')
    await server.tokenOf(['admin'], onlyTenant)
    const login = { ...await readOrganization(onlyTenant) }
    for (const tenant of ['other', 'nowhere']) {
      const posted = await post(respondTo(login, { id: newId() }), server, `/v1/auth/saml/${tenant}/acs`)
      expect((await server.call('GET', posted.headers['location']!, { token: null, headers: { cookie: login.cookie } })).headers['location'])
        .toBe('/#sign-on=not_available')
    }
  })

  test('an attempt that is older than ten minutes', async () => {
    await put()
    const login = await readOrganization(onlyTenant)
    server.io.nowMs += limits.signOn.attemptMs
    await expectRefusal(await comeBack(login, respondTo(login, { id: newId() })), 'expired')
  })

  test('logins from one address beyond the limit', async () => {
    for (let count = 0; count < limits.rate.signOnsPerAddressMax; count++) {
      await server.call('POST', `${base}/acs`, { token: null, headers: form, body: 'SAMLResponse=AAAA', address: '192.0.2.9' })
    }
    const limited = await server.call('POST', `${base}/acs`, { token: null, headers: form, body: 'SAMLResponse=AAAA', address: '192.0.2.9' })
    expect(limited.headers['location']).toBe('/#sign-on=limited')
  })
})

/** Begins a login on a server of several tenants. */
async function readOrganization(organization: string): Promise<Login> {
  const answered = await server.call('GET', `/v1/auth/oidc/start?organization=${organization}`, { token: null })
  return readLogin(answered, answered.headers['location'] ?? '')
}

test('an assertion that was used is refused after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-saml-'))
  try {
    const statePath = join(folder, 'state.db')
    const first = await open({ statePath })
    await put({}, first)
    const login = await start(first)
    const xml = respondTo(login, {}, first)
    expect((await comeBack(login, xml, first)).headers['location']).toBe('/')
    expect((await comeBack(login, xml, first)).headers['location']).toBe('/#sign-on=not_started')
    await first.app.state.close()
    const second = await open({ statePath, startedAt: first.io.nowMs + 60_000 })
    expect((await comeBack(login, xml, second)).headers['location']).toBe('/#sign-on=not_started')
    expect((await listEntries('session.login', second))[0]).toMatchObject({ outcome: 'failed', reason: 'not_started' })
    await second.app.state.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('the metadata', () => {
  test('name the tenant as a service provider that wants signed assertions', async () => {
    const { text, headers } = await server.page(`${base}/metadata`)
    expect(headers.get('content-type')).toBe('application/samlmetadata+xml')
    expect(text).toContain(`entityID="${publicUrl}${base}/metadata"`)
    expect(text).toContain('WantAssertionsSigned="true"')
    expect(text).toMatch(new RegExp(`AssertionConsumerService[^>]* Location="${publicUrl}${base}/acs"`))
  })

  test('of a tenant that does not exist differ in its name alone', async () => {
    const [known, unknown] = [await server.page(`${base}/metadata`), await server.page('/v1/auth/saml/nowhere/metadata')]
    expect(unknown.text.replaceAll('/nowhere/', `/${onlyTenant}/`)).toBe(known.text)
  })

  test('carry no markup of an address', async () => {
    const { text } = await server.page(`/v1/auth/saml/${encodeURIComponent('"/><a b="')}/metadata`)
    expect(text).not.toContain('<a b=')
  })
})

describe('the settings', () => {
  test('keep certificates in PEM, name them on the trail, and state what to register', async () => {
    const [, base64 = ''] = /CERTIFICATE-----([^-]*)-----/.exec(own!.cert) ?? []
    await put({ certificates: [other!.cert] })
    expect(await put({ certificates: [base64] })).toMatchObject({ status: 200, body: { protocol: 'saml', certificates: [own!.cert.trim()], last_test: null } })
    expect((await read()).service_provider).toEqual({
      entity_id: `${publicUrl}${base}/metadata`, acs_url: `${publicUrl}${base}/acs`, metadata_url: `${publicUrl}${base}/metadata`,
    })
    expect((await listEntries('sign_on.update'))[0]).toMatchObject({ certificates: [[expect.stringMatching(/^[\dA-F:]{95}$/)], [expect.stringMatching(/^[\dA-F:]{95}$/)]] })
    expect(await put({ certificates: undefined, login_url: undefined })).toMatchObject({ status: 200, body: { login_url: loginUrl, certificates: [own!.cert.trim()] } })
  })

  test.for<[title: string, change: () => object, status: number, parameter: string]>([
    ['a login URL without TLS', () => ({ login_url: 'http://idp.example/sso' }), 400, 'login_url'],
    ['a login URL that is a script', () => ({ login_url: 'javascript:alert(1)' }), 400, 'login_url'],
    ['a certificate that is none', () => ({ certificates: ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'] }), 400, 'certificates'],
    ['a private key', () => ({ certificates: [own!.key] }), 400, 'certificates'],
    ['a key of 1,024 bits', () => ({ certificates: [createSamlKey('short', ['rsa:1024']).cert] }), 400, 'certificates'],
    ['a key that is not RSA', () => ({ certificates: [createSamlKey('ec', ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']).cert] }), 400, 'certificates'],
    ['no certificate', () => ({ certificates: [] }), 409, 'issuer'],
    ['no login URL', () => ({ login_url: '' }), 409, 'issuer'],
    ['enforced without a test', () => ({ enforced: true, certificates: [other!.cert] }), 409, 'enforced'],
  ])('refuse %s', async ([, change, status, parameter]) => {
    await put()
    const before = await read()
    expect(await put(change())).toMatchObject({ status, body: { error: { details: { parameter } } } })
    expect(await read()).toEqual(before)
  })

  test('show why a test login failed, and forget the result with another certificate', async () => {
    await put({ certificates: [other!.cert], enabled: false })
    const begun = await server.call('POST', '/v1/settings/sso/test')
    const login = readLogin(begun, (begun.body as { readonly url: string }).url)
    expect((await comeBack(login, respondTo(login, { id: newId() }))).headers['location']).toBe('/settings/sign-on')
    expect((await read()).last_test).toMatchObject({ succeeded: false, problem: 'what the identity provider stated could not be verified: Invalid signature' })
    expect((await listEntries('sign_on.test'))[0]).toMatchObject({ outcome: 'failed', method: 'saml', reason: 'untrusted' })
    await put({ enabled: false })
    expect((await read()).last_test).toBeNull()
  })

  test('of OpenID Connect refuse an assertion', async () => {
    await put()
    const login = await readOrganization(onlyTenant)
    const xml = respondTo(login, { id: newId() })
    await server.call('PUT', '/v1/settings/sso', {
      body: settings({ protocol: 'oidc', issuer: 'https://login.example', client_id: 'tripline', client_secret: 'a secret' }),
    })
    expect((await comeBack(login, xml)).headers['location']).toBe('/#sign-on=not_available')
  })

  test('forget the client secret of an earlier provider, which the next one must not get', async () => {
    const client = { protocol: 'oidc', issuer: 'https://login.example', client_id: 'tripline', client_secret: 'a secret' }
    expect(await put(client)).toMatchObject({ status: 200, body: { protocol: 'oidc', has_client_secret: true } })
    expect(await put()).toMatchObject({ status: 200, body: { protocol: 'saml', has_client_secret: false } })
    expect(await put({ ...client, issuer: 'https://other.example', client_secret: undefined })).toMatchObject({ status: 409 })
  })
})
