import { ingestReceiptSchema } from '@tripline/contract/ingest/ingest'
import type { IngestReceiptBody } from '@tripline/contract/ingest/ingest'
import { jsonObject } from '@tripline/contract/json-object'
import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import { z } from 'zod'
import { recordSentEvents } from '../../access/connector-sender.ts'
import type { ConnectorSenderDeps } from '../../access/connector-sender.ts'
import { ingestEvents } from '../../ingestion/ingest.ts'
import type { IngestDeps, IngestReceipt } from '../../ingestion/ingest.ts'
import { limits } from '../../limits.ts'
import { respond } from '../../http/respond.ts'
import { withBody } from '../../http/read-body.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'

type IngestRouteDeps = Pick<IngestDeps, 'pipeline' | 'turns'> & Pick<ConnectorSenderDeps, 'connectors'> & {
  readonly pipeline: Pick<Pipeline, 'announceBody'>
}

/** Route that ingests events; the format is detected from the body, whatever the content type says. */
export function ingestRoutes(app: IngestRouteDeps): Route[] {
  return [
    {
      method: 'POST',
      path: '/ingest/v1/events',
      access: 'sender',
      summary: 'Ingests events as NDJSON, a JSON array or a single object',
      body: z.union([z.array(jsonObject), jsonObject]),
      bodyTypes: ['application/json', 'application/x-ndjson'],
      errors: ['OUTCOME_UNKNOWN'],
      responses: { 202: ingestReceiptSchema },
      handle: async (c) => {
        const caller = getPrincipal(c)
        // Before the body is read: a sender over its share costs no more than its headers.
        const [contentType, contentEncoding] = [c.req.header('content-type'), c.req.header('content-encoding')]
        const announced = app.pipeline.announceBody(caller.tenant, readLength(c.req.header('content-length')))
        try {
          const receipt = await withBody(c, limits.ingest.bodyBytesMax, async (bytes) => {
            const deps = { ...app, announced, bodies: c.get('bodies') }
            const taken = await ingestEvents(deps, caller, { bytes, contentType, contentEncoding })
            const { acceptedCount: receivedCount, rejectedCount: refusedCount } = taken
            recordSentEvents(app, caller, { receivedCount, refusedCount, byteCount: bytes.length })
            return taken
          })
          return respond(c, printReceipt(receipt), 202)
        } finally {
          announced.end()
        }
      },
    },
  ]
}

function readLength(header: string | undefined): number | undefined {
  const length = Number(header ?? NaN)
  return Number.isFinite(length) && length >= 0 ? length : undefined
}

function printReceipt(receipt: IngestReceipt): IngestReceiptBody {
  return {
    accepted: receipt.acceptedCount,
    rejected: receipt.rejectedCount,
    errors: [...receipt.rejections],
    last_offset: receipt.lastOffset ?? null,
  }
}
