import type { App } from '../../app/app.ts'
import { changeUser, createUser, getUser, listUsers, removeSecondFactor, removeUser, resetPassword } from '../../app/users.ts'
import {
  createdUserSchema, newUserBodySchema, oneTimePasswordSchema, userListSchema, userPatchSchema, userSchema,
} from '../../contract/user.ts'
import { readIfMatch } from '../etag.ts'
import { pathId } from '../id-param.ts'
import { readJson } from '../json-body.ts'
import { answerVersioned } from '../respond-with-etag.ts'
import { answer } from '../respond.ts'
import { callerOf } from '../route.ts'
import type { RequestContext, Route } from '../route.ts'
import { printUser } from './user-view.ts'

const path = '/v1/users'
const access = 'administer_tenant'

/** The users of a tenant. */
export function userRoutes(app: App): Route[] {
  return [
    {
      method: 'GET', path, access, summary: 'Lists the users of the tenant', answers: { 200: userListSchema },
      handle: async (c) => answer(c, { users: (await listUsers(app, callerOf(c).tenant)).map(printUser) }),
    },
    {
      method: 'POST', path, access, isIdempotent: true,
      summary: 'Adds a user; the password for the first login is shown this once',
      body: newUserBodySchema, answers: { 201: createdUserSchema }, handle: (c) => answerCreate(app, c),
    },
    {
      method: 'GET', path: `${path}/:id`, access, summary: 'Shows a user', answers: { 200: userSchema },
      handle: async (c) => {
        const user = await getUser(app, callerOf(c).tenant, pathId(c))
        return answerVersioned(c, printUser(user), user.version)
      },
    },
    {
      method: 'PATCH', path: `${path}/:id`, access, summary: 'Changes name, roles or whether a user is active',
      body: userPatchSchema, answers: { 200: userSchema }, handle: (c) => answerChange(app, c),
    },
    {
      method: 'DELETE', path: `${path}/:id`, access, summary: 'Removes a user with all sessions', answers: { 204: null },
      handle: async (c) => {
        await removeUser(app, callerOf(c), pathId(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/:id/password`, access, summary: 'Gives a user a password for one login, shown this once',
      answers: { 200: oneTimePasswordSchema },
      handle: async (c) => answer(c, { one_time_password: await resetPassword(app, callerOf(c), pathId(c)) }),
    },
    {
      method: 'DELETE', path: `${path}/:id/totp`, access, summary: 'Takes away the second factor of a user who lost it',
      answers: { 204: null },
      handle: async (c) => {
        await removeSecondFactor(app, callerOf(c), pathId(c))
        return c.body(null, 204)
      },
    },
  ]
}

async function answerCreate(app: App, c: RequestContext): Promise<Response> {
  const newUser = await readJson(app, c, newUserBodySchema)
  const { user, oneTimePassword = null } = await createUser(app, callerOf(c), newUser)
  c.header('Location', `${path}/${user.id}`)
  return answerVersioned(c, { ...printUser(user), one_time_password: oneTimePassword }, user.version, 201)
}

async function answerChange(app: App, c: RequestContext): Promise<Response> {
  const { name, roles, is_active: isActive } = await readJson(app, c, userPatchSchema)
  const change = { patch: { name, roles, isActive }, versions: readIfMatch(c) }
  const user = await changeUser(app, callerOf(c), pathId(c), change)
  return answerVersioned(c, printUser(user), user.version)
}
