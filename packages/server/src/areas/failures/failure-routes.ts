import type { Clock } from '@tripline/common/runtime'
import {
  failureListQuerySchema, failureListSchema, failureRepeatBodySchema, failureRepeatResultSchema,
} from '@tripline/contract/console/failures'
import type { FailureListBody } from '@tripline/contract/console/failures'
import { limits } from '@tripline/contract/limits'
import { AppError } from '@tripline/contract/app-error'
import { recordOutcome } from '../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import type { Failure, FailureIndex } from '../../failures/failure-index.ts'
import { repeatFailures } from '../../failures/repeat-failures.ts'
import type { RepeatDeps } from '../../failures/repeat-failures.ts'
import { formatDuration } from '../../http/round.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readJson } from '../../http/json-body.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'

type FailureDeps = OutcomeDeps & RepeatDeps & { readonly failures: FailureIndex; readonly clock: Clock }
type FailureBody = FailureListBody['failures'][number]

/** Routes for records that the pipeline could not handle: what they are, and sending them again. */
export function failureRoutes(deps: FailureDeps): Route[] {
  return [
    {
      method: 'GET', path: '/v1/pipeline/failures', access: 'read', summary: 'Lists the newest records that a stage could not handle',
      query: failureListQuerySchema, errors: ['INVALID_CURSOR'], responses: { 200: failureListSchema },
      handle: (c) => handleList(deps, c),
    },
    {
      method: 'POST', path: '/v1/pipeline/failures/reprocess', access: 'edit_connectors',
      summary: 'Sends records that a stage could not handle through the pipeline again',
      body: failureRepeatBodySchema, errors: ['RATE_LIMITED', 'UNAVAILABLE'], responses: { 200: failureRepeatResultSchema },
      handle: async (c) => {
        const { ids } = await readJson(c, failureRepeatBodySchema)
        const caller = getPrincipal(c)
        const action = { action: 'events.reprocess', target: { type: 'tenant', id: caller.tenant }, details: { ids: ids.join() } }
        const describe = ({ sent, failed }: { readonly sent: number; readonly failed: readonly unknown[] }) => {
          return { figures: { sent, failed: failed.length } }
        }
        return respond(c, await recordOutcome(deps, caller, action, () => repeatFailures(deps, caller.tenant, ids), describe))
      },
    },
  ]
}

async function handleList({ failures, clock }: FailureDeps, c: RequestContext): Promise<Response> {
  const { query: { stage, cursor, limit = limits.failures.pageDefault }, warnings } = readQuery(c, failureListQuerySchema)
  const all = (await failures.list(getPrincipal(c).tenant)).filter((failure) => stage === undefined || failure.stage === stage)
  const before = cursor === undefined ? -1 : all.findIndex(({ id }) => id === cursor)
  if (cursor !== undefined && before === -1) {
    throw new AppError('INVALID_CURSOR', 'the failure of this cursor is no longer listed; start again without it')
  }
  const shown = all.slice(before + 1, before + 1 + limit)
  const hasMore = before + 1 + shown.length < all.length
  return respond(c, {
    failures: shown.map(printFailure), total: all.length, next_cursor: hasMore ? shown.at(-1)!.id : null,
    total_estimate: all.length, truncated: false, took_ms: formatDuration(clock.elapsedMs() - c.get('startedMs')),
    query_warnings: [...warnings],
  })
}

function printFailure({ id, stage, reason, text, receivedAt, connectorId, ...rest }: Failure): FailureBody {
  const { excerpt, byteCount, isRepeatable, isRepeated } = rest
  return {
    id, stage: stage as FailureBody['stage'], reason, message: text,
    received_at: receivedAt === undefined ? null : formatTimestamp(receivedAt), connector_id: connectorId ?? null,
    excerpt, bytes: byteCount, repeatable: isRepeatable, repeated: isRepeated,
  }
}
