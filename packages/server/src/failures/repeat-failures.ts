import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import type { TenantId } from '@tripline/model/tenant'
import type { Failure, FailureIndex } from './failure-index.ts'

/** What sending records again needs of the server. */
export type RepeatDeps = { readonly failures: FailureIndex; readonly pipeline: Pick<Pipeline, 'ingest'> }

/** Why a failure was not sent again. */
type RepeatRefusal = { readonly id: string; readonly code: 'NOT_FOUND' | 'CONFLICT'; readonly message: string }

type RepeatResult = { readonly sent: number; readonly failed: readonly RepeatRefusal[] }

/**
 * Sends records that the first stage could not handle through the pipeline again, as if they had just arrived. A record without an
 * id of its sender gets that of the failure, so that sending it once more changes nothing.
 *
 * @throws AppError RATE_LIMITED or UNAVAILABLE as when events arrive.
 */
export async function repeatFailures(
  { failures, pipeline }: RepeatDeps, tenant: TenantId, ids: readonly string[],
): Promise<RepeatResult> {
  const known = new Map((await failures.list(tenant)).map((failure) => [failure.id, failure]))
  const failed: RepeatRefusal[] = []
  const wanted: Failure[] = []
  for (const id of new Set(ids)) {
    const failure = known.get(id)
    if (failure === undefined) failed.push({ id, code: 'NOT_FOUND', message: 'this failure is not known' })
    else if (failure.isRepeated) failed.push({ id, code: 'CONFLICT', message: 'this record was sent again before' })
    else if (failure.isRepeatable) wanted.push(failure)
    else failed.push({ id, code: 'CONFLICT', message: 'only whole records that were refused before they were evaluated are sent again' })
  }
  const records = wanted.length === 0 ? new Map<string, never>() : await failures.readRecords(tenant, wanted)
  for (const { id } of wanted) if (!records.has(id)) failed.push({ id, code: 'NOT_FOUND', message: 'this record is no longer stored' })
  const events = [...records].map(([id, { head, bytes }]) => {
    const { receivedAt: _receivedAt, reading: _reading, ...origin } = head
    return { id, ...origin, bytes }
  })
  if (events.length > 0) await pipeline.ingest(tenant, events)
  await failures.markRepeated(tenant, [...records.keys()])
  return { sent: events.length, failed }
}
