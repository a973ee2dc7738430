import {
  newViewBodySchema, viewListQuerySchema, viewListSchema, viewPages, viewPatchSchema, viewSchema,
} from '@tripline/contract/console/view'
import type { ViewBody } from '@tripline/contract/console/view'
import type { Principal } from '@tripline/model/access/principal'
import type { SavedView } from '@tripline/model/saved-view'
import { readIfMatch } from '../../http/etag.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { changeView, createView, getView, listViews, removeView } from './views.ts'
import type { ViewDeps } from './views.ts'

const path = '/v1/views'
const access = 'read'

/** Routes for saved views. */
export function viewRoutes(deps: ViewDeps): Route[] {
  return [
    {
      method: 'GET', path, access, summary: 'Lists your saved views and those that are shared',
      query: viewListQuerySchema, responses: { 200: viewListSchema },
      handle: async (c) => {
        const caller = getPrincipal(c)
        const { query: { page }, warnings } = readQuery(c, viewListQuerySchema)
        const views = await listViews(deps, caller, page)
        return respond(c, { views: views.map((view) => printView(view, caller)), query_warnings: warnings })
      },
    },
    {
      method: 'POST', path, access, isIdempotent: true, summary: 'Saves a view, for yourself or for all users of the tenant',
      body: newViewBodySchema, headers: ['ETag', 'Location'], errors: ['CONFLICT'], responses: { 201: viewSchema },
      handle: async (c) => {
        const caller = getPrincipal(c)
        const { is_shared: isShared, ...rest } = await readJson(c, newViewBodySchema)
        const view = await createView(deps, caller, { ...rest, isShared })
        c.header('Location', `${path}/${view.id}`)
        return respondWithEtag(c, printView(view, caller), view.version, 201)
      },
    },
    {
      method: 'GET', path: `${path}/:id`, access, summary: 'Returns a saved view', headers: ['ETag'], responses: { 200: viewSchema },
      handle: async (c) => {
        const caller = getPrincipal(c)
        const view = await getView(deps, caller, readIdParam(c))
        return respondWithEtag(c, printView(view, caller), view.version)
      },
    },
    {
      method: 'PATCH', path: `${path}/:id`, access, summary: 'Renames, changes, shares or unshares a saved view',
      body: viewPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'], responses: { 200: viewSchema },
      handle: async (c) => {
        const caller = getPrincipal(c)
        const { is_shared: isShared, name, query } = await readJson(c, viewPatchSchema)
        const texts = { ...(name !== undefined && { name }), ...(query !== undefined && { query }) }
        const patch = { ...texts, ...(isShared !== undefined && { isShared }) }
        const view = await changeView(deps, caller, readIdParam(c), { patch, versions: readIfMatch(c) })
        return respondWithEtag(c, printView(view, caller), view.version)
      },
    },
    {
      method: 'DELETE', path: `${path}/:id`, access, summary: 'Deletes a saved view', responses: { 204: null },
      handle: async (c) => {
        await removeView(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
  ]
}

function printView({ id, page, name, query, isShared, ownerId, createdAt, updatedAt }: SavedView, { actor }: Principal): ViewBody {
  return {
    id, page: viewPages.find((known) => known === page)!, name, query, is_shared: isShared, owner_id: ownerId,
    is_own: ownerId === actor.id, created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt),
  }
}
