import type { App } from '../../app/app.ts'
import { changePassword, enableSecondFactor, disableSecondFactor, createSecondFactorSecret } from '../../app/me.ts'
import { removeFactorBodySchema, passwordBodySchema, secondFactorBodySchema, secondFactorSchema } from '../../contract/account.ts'
import { readJson } from '../json-body.ts'
import { respond } from '../respond.ts'
import { getPrincipal } from '../route.ts'
import type { Route } from '../route.ts'

const path = '/v1/auth'
const access = 'own_account'

/** What people do with their own accounts: password and second factor. */
export function meRoutes(app: App): Route[] {
  return [
    {
      method: 'POST', path: `${path}/password`, access, summary: "Changes one's own password and ends all one's sessions",
      body: passwordBodySchema, responses: { 204: null },
      handle: async (c) => {
        const { current_password: current, new_password: next } = await readJson(app, c, passwordBodySchema)
        await changePassword(app, getPrincipal(c), { current, next })
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/totp`, access,
      summary: 'Makes a secret for a second factor, which counts once it is confirmed',
      responses: { 200: secondFactorSchema }, handle: async (c) => respond(c, await createSecondFactorSecret(app, getPrincipal(c))),
    },
    {
      method: 'POST', path: `${path}/totp/confirm`, access, summary: 'Has codes asked for with each login from now on',
      body: secondFactorBodySchema, responses: { 204: null },
      handle: async (c) => {
        await enableSecondFactor(app, getPrincipal(c), await readJson(app, c, secondFactorBodySchema))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/totp/remove`, access, summary: 'Has no code asked for any more',
      body: removeFactorBodySchema, responses: { 204: null },
      handle: async (c) => {
        await disableSecondFactor(app, getPrincipal(c), await readJson(app, c, removeFactorBodySchema))
        return c.body(null, 204)
      },
    },
  ]
}
