import { onlyTenant } from '@tripline/model/tenant'
import { expect, test } from 'vitest'
import { openTestServer } from '../../test/open-test-server.ts'
import type { TestServer } from '../../test/open-test-server.ts'

const password = 'kettle orbit 41 marble'

async function logIn(server: TestServer): Promise<{ readonly [name: string]: string }> {
  await server.tokenOf(['viewer'])
  const user = (await server.app.state.users.list(onlyTenant)).at(-1)!
  await server.app.state.accounts.setPasswordHash(user.email, await server.app.identity.hasher.hash(password))
  return (await server.call('POST', '/v1/auth/login', { token: null, body: { email: user.email, password } })).headers
}

test.for<[publicUrl: string, cookie: RegExp, transport: string | undefined]>([
  ['https://tripline.example', /^__Secure-tripline_refresh=[\w.-]+; Path=\/v1\/auth; Expires=.*; HttpOnly; Secure; SameSite=Strict$/, 'max-age=31536000'],
  ['http://tripline.example', /^tripline_refresh=[\w.-]+; Path=\/v1\/auth; Expires=.* GMT; HttpOnly; SameSite=Strict$/, undefined],
  ['', /^tripline_refresh=[\w.-]+; Path=\/v1\/auth; Expires=.* GMT; HttpOnly; SameSite=Strict$/, undefined],
])('with the public URL %j cookie and transport fit the scheme', async ([publicUrl, pattern, transport]) => {
  const server = await openTestServer([], { publicUrl })
  const headers = await logIn(server)
  expect(headers['set-cookie']).toMatch(pattern)
  expect(headers['strict-transport-security']).toBe(transport)
  const cookie = headers['set-cookie']?.split(';')[0] ?? ''
  const refreshed = await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie } })
  expect(refreshed.status).toBe(200)
  const next = refreshed.headers['set-cookie']?.split(';')[0] ?? ''
  expect((await server.call('POST', '/v1/auth/logout', { token: null, headers: { cookie: next } })).headers['set-cookie'])
    .toMatch(new RegExp(`^${cookie.split('=')[0]}=;`))
  expect((await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie: next } })).status).toBe(401)
})
