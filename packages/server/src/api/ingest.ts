import { ingestEvents } from '../app/ingest.ts'
import type { IngestReceipt } from '../app/ingest.ts'
import type { App } from '../app/app.ts'
import type { IngestReceiptBody } from '../contract/ingest.ts'
import { onlyTenant } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import { withBody } from './read-body.ts'
import type { Route } from './route.ts'

/** Where events come in; whatever the content type says, the body is looked at (section 7). */
export function ingestRoutes(app: App): Route[] {
  return [
    {
      method: 'POST',
      path: '/ingest/v1/events',
      handle: async (c) => {
        const contentEncoding = c.req.header('content-encoding')
        const receipt = await withBody(c, { bytesMax: limits.ingest.bodyBytesMax, budget: app.bodies }, (bytes) =>
          ingestEvents(app, onlyTenant, { bytes, contentEncoding }),
        )
        return c.json(receiptBody(receipt), 202)
      },
    },
  ]
}

function receiptBody(receipt: IngestReceipt): IngestReceiptBody {
  return {
    accepted: receipt.acceptedCount,
    deduplicated: receipt.deduplicatedCount,
    rejected: receipt.rejectedCount,
    errors: [...receipt.rejections],
    last_offset: receipt.lastOffset ?? null,
  }
}
