import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import type { BodyFormat } from '@tripline/formats/body-format'
import type { TenantId } from '@tripline/model/tenant'
import { recordSentEvents } from '../../access/connector-sender.ts'
import type { ConnectorSenderDeps } from '../../access/connector-sender.ts'
import { withBody } from '../../http/read-body.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext } from '../../http/route.ts'
import type { ImpatientSenders } from '../../ingestion/impatient-senders.ts'
import { ingestEvents } from '../../ingestion/ingest.ts'
import type { EventPart, IngestDeps, IngestReceipt, SentBatch } from '../../ingestion/ingest.ts'
import { limits } from '../../limits.ts'

export type IntakeDeps = Pick<IngestDeps, 'pipeline' | 'turns'> & Pick<ConnectorSenderDeps, 'connectors'> & {
  readonly pipeline: Pick<Pipeline, 'announceBody'>
  /** Keeps the inventory by what collectors tell of scanners. */
  readonly storeScans: (tenant: TenantId, collectorId: string, events: readonly { readonly bytes: Uint8Array }[]) => Promise<void>
  readonly senders: ImpatientSenders
}

type ReceiveOptions<Part> = {
  readonly format: BodyFormat<Part>
  readonly errorsListedMax?: number
  readonly batch?: SentBatch | undefined
}

/**
 * The intake of all protocols over HTTP: admits the request, reads its body under the limits, decodes it, makes its events durable
 * and counts them for their connector. Who sends was authenticated by the route.
 *
 * @throws AppError as `ingestEvents` and `withBody` do.
 */
export async function receiveBody<Part extends EventPart>(
  deps: IntakeDeps, c: RequestContext, { format, errorsListedMax, batch }: ReceiveOptions<Part>,
): Promise<IngestReceipt> {
  const caller = getPrincipal(c)
  // Before the body is read: a sender over its share costs no more than its headers.
  const byteCount = readLength(c.req.header('content-length'))
  const announced = await deps.senders.admit(caller.tenant, () => deps.pipeline.announceBody(caller.tenant, byteCount))
  try {
    return await withBody(c, limits.ingest.bodyBytesMax, async (bytes) => {
      const contentEncoding = c.req.header('content-encoding')
      const { tenant, actor } = caller
      const body = {
        bytes, format, contentEncoding, ...(errorsListedMax !== undefined && { errorsListedMax }), ...(batch && { batch }),
        ...(actor.type === 'collector' && {
          onDurable: async (events: readonly { readonly bytes: Uint8Array }[]) => await deps.storeScans(tenant, actor.id, events),
        }),
      }
      const receipt = await ingestEvents({ ...deps, announced, bodies: c.get('bodies') }, caller, body)
      const { acceptedCount: receivedCount, rejectedCount: refusedCount } = receipt
      recordSentEvents(deps, caller, { receivedCount, refusedCount, byteCount: bytes.length })
      return receipt
    })
  } finally {
    announced.end()
  }
}

function readLength(header: string | undefined): number | undefined {
  const length = Number(header ?? NaN)
  return Number.isFinite(length) && length >= 0 ? length : undefined
}
