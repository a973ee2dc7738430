import { onlyTenant } from '@tripline/model/tenant'
import { expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import { systemPrincipal } from '../shared/admin-deps.ts'
import { issueToken } from './issue-token.ts'

test('a token is issued with the stores of its transaction alone: a read outside of it would wait for its end', async () => {
  const server = await openTestServer([])
  await server.tokenOf(['admin'])
  const { state, identity } = server.app
  const [user] = await state.users.list(onlyTenant)
  const refuse = <Store extends object>(name: string, store: Store): Store => new Proxy(store, {
    get: (_store, call) => {
      throw new Error(`${name}.${String(call)} was called outside of the transaction`)
    },
  })
  const { tenants, users, sessions } = identity.state
  const watched = {
    ...identity, state: {
      ...identity.state, tenants: refuse('tenants', tenants), users: refuse('users', users), sessions: refuse('sessions', sessions),
    },
  }
  const { io } = server
  const deps = { state, clock: io, randomBytes: io.randomBytes, identity: watched }
  const issued = await issueToken(deps, systemPrincipal(onlyTenant, 'command line'), user!.email)
  expect(await server.call('GET', '/v1/auth/me', { token: issued.text })).toMatchObject({ status: 200, body: { email: user!.email } })
})
