import {
  createdUserSchema, newUserBodySchema, oneTimePasswordSchema, userListSchema, userPatchSchema, userSchema,
} from '@tripline/contract/console/access/user'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { printUser } from './user-view.ts'
import { changeUser, createUser, getUser, listUsers, logOutUser, removeSecondFactor, removeUser, resetPassword } from './users.ts'

const path = '/v1/users'
const access = 'administer_tenant'

/** Routes for the users of a tenant. */
export function userRoutes(deps: AdminDeps): Route[] {
  return [
    {
      method: 'GET', path, access, summary: 'Lists the users of the tenant', responses: { 200: userListSchema },
      handle: async (c) => respond(c, { users: (await listUsers(deps, getPrincipal(c).tenant)).map(printUser) }),
    },
    {
      method: 'POST', path, access, isIdempotent: true,
      summary: 'Adds a user; the one-time password is shown only once',
      body: newUserBodySchema, headers: ['ETag', 'Location'], responses: { 201: createdUserSchema }, handle: (c) => handleCreate(deps, c),
    },
    {
      method: 'GET', path: `${path}/:id`, access, summary: 'Returns a user', headers: ['ETag'], responses: { 200: userSchema },
      handle: async (c) => {
        const user = await getUser(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printUser(user), user.version)
      },
    },
    {
      method: 'PATCH', path: `${path}/:id`, access, summary: "Updates a user's name, roles, pages or active state",
      body: userPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'],
      responses: { 200: userSchema }, handle: (c) => handleChange(deps, c),
    },
    {
      method: 'DELETE', path: `${path}/:id`, access, summary: 'Removes a user and their sessions',
      errors: ['CONFLICT'], responses: { 204: null },
      handle: async (c) => {
        await removeUser(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/:id/password`, access, summary: 'Resets a password; the one-time password is shown only once',
      errors: ['CONFLICT'], responses: { 200: oneTimePasswordSchema },
      handle: async (c) => respond(c, { one_time_password: await resetPassword(deps, getPrincipal(c), readIdParam(c)) }),
    },
    {
      method: 'DELETE', path: `${path}/:id/sessions`, access, summary: 'Ends all sessions of a user',
      errors: ['CONFLICT'], responses: { 204: null },
      handle: async (c) => {
        await logOutUser(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'DELETE', path: `${path}/:id/totp`, access, summary: "Removes a user's second factor",
      errors: ['CONFLICT'], responses: { 204: null },
      handle: async (c) => {
        await removeSecondFactor(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
  ]
}

async function handleCreate(deps: AdminDeps, c: RequestContext): Promise<Response> {
  const newUser = await readJson(c, newUserBodySchema)
  const { user, oneTimePassword = null } = await createUser(deps, getPrincipal(c), newUser)
  c.header('Location', `${path}/${user.id}`)
  return respondWithEtag(c, { ...printUser(user), one_time_password: oneTimePassword }, user.version, 201)
}

async function handleChange(deps: AdminDeps, c: RequestContext): Promise<Response> {
  const { name, roles, interface: pages, is_active: isActive } = await readJson(c, userPatchSchema)
  const change = { patch: { name, roles, interface: pages, isActive }, versions: readIfMatch(c) }
  const user = await changeUser(deps, getPrincipal(c), readIdParam(c), change)
  return respondWithEtag(c, printUser(user), user.version)
}
