import { peopleSchema } from '@tripline/contract/console/access/user'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from '../shared/admin-deps.ts'
import { listPeople } from './users.ts'

/** Route for the users whom work can be assigned to, which every role may read. */
export function peopleRoutes(deps: Pick<AdminDeps, 'state'>): Route[] {
  return [
    {
      method: 'GET', path: '/v1/people', access: 'read', summary: 'Lists the active users, whom alerts can be assigned to',
      responses: { 200: peopleSchema },
      handle: async (c) => {
        const people = await listPeople(deps, getPrincipal(c).tenant)
        return respond(c, { people: people.map(({ email, name, roles }) => ({ email, name, roles: [...roles] })) })
      },
    },
  ]
}
