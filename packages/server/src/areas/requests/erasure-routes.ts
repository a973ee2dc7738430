import { erasureSchema, newErasureSchema } from '@tripline/contract/console/response/erasure'
import type { ErasureBody } from '@tripline/contract/console/response/erasure'
import type { Erasure } from '@tripline/model/compliance/erasure'
import { beginErasure, getErasure } from '../../erasure/erasures.ts'
import type { ErasureDeps } from '../../erasure/erasures.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'

const path = '/v1/dsr/:id/erasure'

/** Routes that carry out a request of a person to have their data erased. */
export function erasureRoutes(deps: ErasureDeps): Route[] {
  return [
    {
      method: 'POST', path, access: 'administer_tenant', isIdempotent: true, summary: 'Begins to erase the data of a person',
      body: newErasureSchema, headers: ['Location'], errors: ['CONFLICT'], responses: { 202: erasureSchema },
      handle: async (c) => {
        const { identifiers } = await readJson(c, newErasureSchema)
        const erasure = await beginErasure(deps, getPrincipal(c), readIdParam(c), identifiers)
        c.header('Location', `/v1/dsr/${erasure.requestId}/erasure`)
        return respond(c, printErasure(erasure), 202)
      },
    },
    {
      method: 'GET', path, access: 'read_requests', summary: 'Returns what became of an erasure', responses: { 200: erasureSchema },
      handle: async (c) => respond(c, printErasure(await getErasure(deps, getPrincipal(c).tenant, readIdParam(c)))),
    },
  ]
}

function printErasure(erasure: Erasure): ErasureBody {
  const { requestId, status, requestedBy, requestedAt, finishedAt, eventCount, rowCount, kept, error } = erasure
  return {
    request_id: requestId, status, requested_by: requestedBy, requested_at: formatTimestamp(requestedAt),
    finished_at: formatTimestamp(finishedAt), events_erased: eventCount, rows_erased: rowCount,
    still_named: [...kept], error,
  }
}
