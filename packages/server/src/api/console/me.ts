import type { App } from '../../app/app.ts'
import { changePassword, confirmSecondFactor, dropSecondFactor, offerSecondFactor } from '../../app/me.ts'
import { dropFactorBodySchema, passwordBodySchema, secondFactorBodySchema, secondFactorSchema } from '../../contract/account.ts'
import { readJson } from '../json-body.ts'
import { answer } from '../respond.ts'
import { callerOf } from '../route.ts'
import type { Route } from '../route.ts'

const path = '/v1/auth'
const access = 'own_account'

/** What people do with their own accounts: password and second factor. */
export function ownAccountRoutes(app: App): Route[] {
  return [
    {
      method: 'POST', path: `${path}/password`, access, summary: "Changes one's own password and ends all one's sessions",
      body: passwordBodySchema, answers: { 204: null },
      handle: async (c) => {
        const { current_password: current, new_password: next } = await readJson(app, c, passwordBodySchema)
        await changePassword(app, callerOf(c), { current, next })
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/totp`, access,
      summary: 'Makes a secret for a second factor, which counts once it is confirmed',
      answers: { 200: secondFactorSchema }, handle: async (c) => answer(c, await offerSecondFactor(app, callerOf(c))),
    },
    {
      method: 'POST', path: `${path}/totp/confirm`, access, summary: 'Has codes asked for with each login from now on',
      body: secondFactorBodySchema, answers: { 204: null },
      handle: async (c) => {
        await confirmSecondFactor(app, callerOf(c), await readJson(app, c, secondFactorBodySchema))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/totp/remove`, access, summary: 'Has no code asked for any more',
      body: dropFactorBodySchema, answers: { 204: null },
      handle: async (c) => {
        await dropSecondFactor(app, callerOf(c), await readJson(app, c, dropFactorBodySchema))
        return c.body(null, 204)
      },
    },
  ]
}
