import { noteSent } from '../app/connector-sender.ts'
import { ingestEvents } from '../app/ingest.ts'
import type { IngestReceipt } from '../app/ingest.ts'
import type { App } from '../app/app.ts'
import { ingestReceiptSchema } from '../contract/ingest.ts'
import type { IngestReceiptBody } from '../contract/ingest.ts'
import { limits } from '../limits.ts'
import { answer } from './respond.ts'
import { withBody } from './read-body.ts'
import { callerOf } from './route.ts'
import type { Route } from './route.ts'

/** Where events come in; whatever the content type says, the body is looked at (section 7). */
export function ingestRoutes(app: App): Route[] {
  return [
    {
      method: 'POST',
      path: '/ingest/v1/events',
      access: 'sender',
      summary: 'Takes events: NDJSON, a JSON array or one object',
      answers: { 202: ingestReceiptSchema },
      handle: async (c) => {
        const caller = callerOf(c)
        const contentEncoding = c.req.header('content-encoding')
        const receipt = await withBody(c, { bytesMax: limits.ingest.bodyBytesMax, budget: app.bodies }, async (bytes) => {
          const taken = await ingestEvents(app, caller, { bytes, contentEncoding })
          const { acceptedCount: receivedCount, rejectedCount: refusedCount } = taken
          noteSent(app, caller, { receivedCount, refusedCount, byteCount: bytes.length })
          return taken
        })
        return answer(c, receiptBody(receipt), 202)
      },
    },
  ]
}

function receiptBody(receipt: IngestReceipt): IngestReceiptBody {
  return {
    accepted: receipt.acceptedCount,
    rejected: receipt.rejectedCount,
    errors: [...receipt.rejections],
    last_offset: receipt.lastOffset ?? null,
  }
}
