import {
  removeFactorBodySchema, passwordBodySchema, secondFactorBodySchema,
  secondFactorSchema,
} from '@tripline/contract/console/access/account'
import { readJson } from '../../http/json-body.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { changePassword, enableSecondFactor, disableSecondFactor, createSecondFactorSecret } from './me.ts'
import type { OwnAccountDeps } from './me.ts'

const path = '/v1/auth'
const access = 'own_account'

/** Routes for the user's own account: password and second factor. */
export function meRoutes(deps: OwnAccountDeps): Route[] {
  return [
    {
      method: 'POST', path: `${path}/password`, access, summary: 'Changes your password and ends all your sessions',
      body: passwordBodySchema, errors: ['INVALID_PARAMETER', 'CONFLICT'], responses: { 204: null },
      handle: async (c) => {
        const { current_password: current, new_password: next } = await readJson(c, passwordBodySchema)
        await changePassword(deps, getPrincipal(c), { current, next })
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/totp`, access,
      summary: 'Creates a second-factor secret; confirm it to enable it',
      errors: ['CONFLICT'], responses: { 200: secondFactorSchema },
      handle: async (c) => respond(c, await createSecondFactorSecret(deps, getPrincipal(c))),
    },
    {
      method: 'POST', path: `${path}/totp/confirm`, access, summary: 'Enables the second factor',
      body: secondFactorBodySchema, errors: ['INVALID_PARAMETER', 'CONFLICT'], responses: { 204: null },
      handle: async (c) => {
        await enableSecondFactor(deps, getPrincipal(c), await readJson(c, secondFactorBodySchema))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/totp/remove`, access, summary: 'Disables the second factor',
      body: removeFactorBodySchema, errors: ['CONFLICT'], responses: { 204: null },
      handle: async (c) => {
        await disableSecondFactor(deps, getPrincipal(c), await readJson(c, removeFactorBodySchema))
        return c.body(null, 204)
      },
    },
  ]
}
