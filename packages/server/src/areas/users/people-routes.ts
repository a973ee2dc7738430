import { peopleQuerySchema, peopleSchema } from '@tripline/contract/console/access/user'
import { isAllowed, isPermission } from '@tripline/model/access/permission'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { invalidParameter, readQuery } from '../../http/validate.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { listPeople } from './users.ts'

/** Route for the users whom work can be assigned to and who hold a permission, which every role may read: a refusal says whom to ask. */
export function peopleRoutes(deps: Pick<AdminDeps, 'state'>): Route[] {
  return [
    {
      method: 'GET', path: '/v1/people', access: 'read', summary: 'Lists the active users, whom alerts can be assigned to',
      query: peopleQuerySchema, errors: ['INVALID_PARAMETER'], responses: { 200: peopleSchema },
      handle: async (c) => {
        const { permission } = readQuery(c, peopleQuerySchema).query
        if (permission !== undefined && !isPermission(permission)) {
          throw invalidParameter('permission', permission, { reason: 'no permission has this name' })
        }
        const people = await listPeople(deps, getPrincipal(c).tenant)
        const holders = people.filter(({ roles }) => permission === undefined || isAllowed(roles, permission))
        return respond(c, { people: holders.map(({ id, email, name, roles }) => ({ id, email, name, roles: [...roles] })) })
      },
    },
  ]
}
