import { expect, test } from 'vitest'
import { ann } from '../../test/auth-fixture.ts'
import { resolveAssignee } from './resolve-assignee.ts'

/** Ann is an active user of `acme`, Bob one that is switched off. */
const users = {
  findByEmail: async (tenant: string, email: string) => {
    if (tenant !== 'acme') return undefined
    return [ann, { ...ann, id: 'u-2', email: 'bob@acme.example', isActive: false }].find((user) => user.email === email.toLowerCase())
  },
}
const resolve = (tenant: string, email: string | null | undefined) => resolveAssignee({ users }, tenant, email)

test.for<[email: string | null | undefined, resolved: object]>([
  [undefined, {}], [null, { assignee: null }], [ann.email, { assignee: ann.email }], ['Ann@ACME.example', { assignee: ann.email }],
])('%s resolves to %j', async ([email, resolved]) => {
  expect(await resolve('acme', email)).toEqual(resolved)
})

test.for<[tenant: string, email: string]>([
  ['acme', 'bob@acme.example'], ['acme', 'cid@acme.example'], ['acme', ''], ['other', ann.email],
])('of the tenant %s, %s is refused by name', async ([tenant, email]) => {
  const message = 'must be the email of an active user'
  await expect(resolve(tenant, email)).rejects.toMatchObject({
    code: 'INVALID_BODY', message: `assignee: ${message}`, details: { errors: [{ path: 'assignee', message }] },
  })
})
