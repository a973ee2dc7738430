import { ingestReceiptSchema } from '@tripline/contract/ingest/ingest'
import type { IngestReceiptBody } from '@tripline/contract/ingest/ingest'
import { jsonObject } from '@tripline/contract/json-object'
import { AppError } from '@tripline/contract/app-error'
import { findBodyFormat } from '@tripline/formats/body-format'
import { z } from 'zod'
import { respond } from '../../http/respond.ts'
import type { Route } from '../../http/route.ts'
import type { IngestReceipt, SentBatch } from '../../ingestion/ingest.ts'
import { receiveBody } from './receive-body.ts'
import type { IntakeDeps } from './receive-body.ts'

/** Route that ingests events; the format is detected from the body, whatever the content type says. */
export function ingestRoutes(deps: IntakeDeps): Route[] {
  return [
    {
      method: 'POST',
      path: '/ingest/v1/events',
      access: 'sender',
      summary: 'Ingests events as NDJSON, a JSON array or a single object',
      body: z.union([z.array(jsonObject), jsonObject]),
      bodyTypes: ['application/json', 'application/x-ndjson'],
      errors: ['OUTCOME_UNKNOWN', 'INVALID_PARAMETER'],
      responses: { 202: ingestReceiptSchema },
      handle: async (c) => {
        const batch = readBatchId(c.req.header('x-batch-id'))
        const receipt = await receiveBody(deps, c, { format: findBodyFormat(c.req.header('content-type')), batch })
        return respond(c, printReceipt(receipt), 202)
      },
    },
  ]
}

function printReceipt(receipt: IngestReceipt): IngestReceiptBody {
  return {
    accepted: receipt.acceptedCount,
    ...(receipt.joinedCount > 0 && { joined: receipt.joinedCount }),
    rejected: receipt.rejectedCount,
    errors: [...receipt.rejections],
    last_offset: receipt.lastOffset ?? null,
  }
}

/** Reads `<series>:<number of the first event>`. @throws AppError INVALID_PARAMETER. */
function readBatchId(header: string | undefined): SentBatch | undefined {
  if (header === undefined) return undefined
  const [, series, first] = /^([\w-]{1,64}):(\d{1,15})$/.exec(header) ?? []
  if (series !== undefined && first !== undefined) return { series, first: Number(first) }
  const message = 'X-Batch-Id must be a name of a series, a colon and the number of the first event, such as spool1:4200'
  throw new AppError('INVALID_PARAMETER', message, { parameter: 'X-Batch-Id' })
}
