import {
  dataSubjectRequestListSchema, dataSubjectRequestPatchSchema, dataSubjectRequestQuerySchema, dataSubjectRequestSchema,
  newDataSubjectRequestSchema,
} from '@tripline/contract/console/response/data-subject-request'
import type { DataSubjectRequestBody } from '@tripline/contract/console/response/data-subject-request'
import { omitUndefined } from '@tripline/common/omit-undefined'
import { AppError } from '@tripline/contract/app-error'
import type { DataSubjectRequest } from '@tripline/model/compliance/data-subject-request'
import { readIfMatch } from '../../http/etag.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import {
  changeDataSubjectRequest, createDataSubjectRequest, getDataSubjectRequest, removeDataSubjectRequest,
} from './data-subject-requests.ts'
import type { DataSubjectRequestDeps } from './data-subject-requests.ts'

const path = '/v1/dsr'

/** Routes for the register of requests that persons made about their data. */
export function dataSubjectRequestRoutes(deps: DataSubjectRequestDeps & ListRouteDeps & CursorDeps): Route[] {
  const print = (request: DataSubjectRequest): DataSubjectRequestBody => printRequest(request, deps.clock.now())
  const answer = (c: RequestContext, request: DataSubjectRequest, status: 200 | 201 = 200): Response =>
    respondWithEtag(c, print(request), request.version, status)
  return [
    listRoute(deps, {
      path, access: 'read_requests', summary: 'Lists requests of data subjects, the next due first', name: 'requests', isRecorded: true,
      list: lists.requests, query: dataSubjectRequestQuerySchema, response: dataSubjectRequestListSchema,
      toWhere: ({ type, status }) => [...isAny('type', type), ...isAny('status', status)],
      readPage: async (c, request) => {
        const { tenant } = getPrincipal(c)
        const { entries, ...page } = await readListPage(deps, { tenant, endpoint: 'requests' }, request, deps.state.dataSubjectRequests)
        return { ...page, entries: entries.map(print) }
      },
    }),
    {
      method: 'POST', path, access: 'edit_requests', isIdempotent: true, summary: 'Enters a request of a data subject',
      body: newDataSubjectRequestSchema, headers: ['ETag', 'Location'], responses: { 201: dataSubjectRequestSchema },
      handle: async (c) => {
        const { subject_ref: subjectRef, received_at, due_at, ...stated } = await readJson(c, newDataSubjectRequestSchema)
        const dates = omitUndefined({ receivedAt: received_at, dueAt: due_at })
        const request = await createDataSubjectRequest(deps, getPrincipal(c), { ...stated, subjectRef, ...dates })
        c.header('Location', `${path}/${request.id}`)
        return answer(c, request, 201)
      },
    },
    {
      method: 'GET', path: `${path}/:id`, access: 'read_requests', summary: 'Returns a request of a data subject',
      headers: ['ETag'], responses: { 200: dataSubjectRequestSchema },
      handle: async (c) => answer(c, await getDataSubjectRequest(deps, getPrincipal(c).tenant, readIdParam(c))),
    },
    {
      method: 'PATCH', path: `${path}/:id`, access: 'edit_requests', summary: 'Updates a request of a data subject',
      body: dataSubjectRequestPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'],
      responses: { 200: dataSubjectRequestSchema },
      handle: async (c) => {
        const { subject_ref, received_at, due_at, ...rest } = await readJson(c, dataSubjectRequestPatchSchema)
        const change = omitUndefined({ ...rest, subjectRef: subject_ref, receivedAt: received_at, dueAt: due_at })
        if (Object.keys(change).length === 0) throw new AppError('INVALID_BODY', 'the body must contain at least one change')
        return answer(c, await changeDataSubjectRequest(deps, getPrincipal(c), readIdParam(c), { change, versions: readIfMatch(c) }))
      },
    },
    {
      method: 'DELETE', path: `${path}/:id`, access: 'edit_requests', summary: 'Deletes a request of a data subject',
      responses: { 204: null },
      handle: async (c) => {
        await removeDataSubjectRequest(deps, getPrincipal(c), readIdParam(c))
        return c.body(null, 204)
      },
    },
  ]
}

function isAny(field: string, values: readonly string[] | undefined) {
  return values === undefined ? [] : [{ field, operator: 'in', value: values } as const]
}

function printRequest({ id, type, law, subjectRef, status, note, ...rest }: DataSubjectRequest, now: number): DataSubjectRequestBody {
  return {
    id, type, law, subject_ref: subjectRef, status, note,
    received_at: formatTimestamp(rest.receivedAt), due_at: formatTimestamp(rest.dueAt),
    closed_at: formatTimestamp(rest.closedAt), overdue: rest.closedAt === undefined && rest.dueAt < now,
    created_at: formatTimestamp(rest.createdAt), updated_at: formatTimestamp(rest.updatedAt),
  }
}
