import { exceptionPreviewBodySchema, exceptionPreviewSchema } from '@tripline/contract/console/rules/exception-preview'
import { formatTimestamp } from '../../../http/format-timestamp.ts'
import { readIdParam } from '../../../http/id-param.ts'
import { parseJsonBody, withBody } from '../../../http/read-body.ts'
import { respond } from '../../../http/respond.ts'
import { getPrincipal } from '../../../http/route.ts'
import type { RequestContext, Route } from '../../../http/route.ts'
import { checkBody } from '../../../http/validate.ts'
import { limits } from '../../../limits.ts'
import { previewException } from './preview-exception.ts'
import type { ExceptionPreviewDeps } from './preview-exception.ts'

/** Route that tries an exception on the alerts of its rule before it is saved. */
export function exceptionPreviewRoutes(deps: ExceptionPreviewDeps): Route[] {
  return [{
    method: 'POST', path: '/v1/detection/rules/:id/exceptions/preview', access: 'suppress_briefly',
    summary: 'Tries an exception on the alerts of its rule: which it would have hidden, and what was said about them',
    body: exceptionPreviewBodySchema, errors: ['INVALID_RULE', 'PAYLOAD_TOO_LARGE'], responses: { 200: exceptionPreviewSchema },
    handle: (c) => handlePreview(deps, c),
  }]
}

async function handlePreview(deps: ExceptionPreviewDeps, c: RequestContext): Promise<Response> {
  const ruleId = readIdParam(c)
  return await withBody(c, limits.ruleTest.bodyBytesMax, async (bytes) => {
    const asked = checkBody(parseJsonBody(c, bytes), exceptionPreviewBodySchema)
    const { from, to, hidden, examples, byVerdict, ...counts } = await previewException(deps, getPrincipal(c), { ruleId, ...asked })
    return respond(c, {
      rule_id: ruleId,
      from: formatTimestamp(from),
      to: formatTimestamp(to),
      alerts: counts.alertCount,
      hidden,
      still_alerting: counts.stillAlerting,
      not_evaluated: counts.notEvaluated,
      events: counts.eventCount,
      events_hidden: counts.hiddenEventCount,
      by_verdict: byVerdict,
      examples: examples.map(({ id, createdAt, event, verdict }) => {
        return { id, created_at: formatTimestamp(createdAt), host: event.host, user: event.user, verdict }
      }),
      truncated: counts.isTruncated,
    })
  })
}
