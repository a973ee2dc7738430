import { decodeUtf8 } from '@tripline/common/decode-utf8'
import type { Egress, EgressResponse } from '../../egress/egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { limits } from '../../limits.ts'
import type { SecretBox } from '@tripline/model/access/secret-box'
import type { TenantId } from '@tripline/model/tenant'
import { parseRetryAfter } from '@tripline/model/delivery/webhook-delivery'
import type { AttemptResult } from '@tripline/model/delivery/webhook-delivery'
import { printPayload } from '@tripline/model/delivery/webhook-event'
import type { WebhookEvent } from '@tripline/model/delivery/webhook-event'
import type { Webhook } from '@tripline/model/delivery/webhook'
import type { Clock } from '@tripline/common/runtime'
import { signPayload } from './sign-payload.ts'

/** What an attempt needs of the server. */
export type SendDeps = {
  /** The guarded HTTP client of a tenant. */
  readonly egressOf: (tenant: TenantId) => Egress
  readonly secrets: Pick<SecretBox, 'open'>
  readonly publicUrl: string
  readonly clock: Clock
}

/** Where the secret of a webhook is sealed for. */
export function getSecretContext(tenant: TenantId, webhookId: string) {
  return { tenant, owner: webhookId, key: 'webhook_secret' }
}

/**
 * Makes one attempt to deliver an event: signs the payload, posts it, and reports what came of it. Throws only for errors of
 * this server, which are no attempt.
 */
export async function sendDelivery(
  deps: SendDeps, tenant: TenantId, { webhook, event, signal }: SendRequest,
): Promise<AttemptResult> {
  const { clock, egressOf, publicUrl } = deps
  const at = clock.now()
  const startedMs = clock.elapsedMs()
  const finish = (outcome: Partial<AttemptResult>): AttemptResult => {
    const durationMs = Math.round(clock.elapsedMs() - startedMs)
    return { at, durationMs, httpStatus: undefined, error: '', snippet: '', retryAfterMs: undefined, ...outcome }
  }
  const secrets = openSecrets(deps, tenant, webhook)
  if (secrets === undefined) {
    return finish({ error: 'the signing secret cannot be decrypted with the key of this installation; rotate it' })
  }
  const { payloadBytesMax: bytesMax, attemptMs: timeoutMs, responseBytesMax } = limits.webhooks
  const body = printPayload(event, { profile: webhook.profile, publicUrl, bytesMax })
  const headers = {
    'content-type': 'application/json', 'user-agent': 'tripline-webhooks/1', ...signPayload(secrets, { id: event.id, at, body }),
  }
  try {
    const response = await egressOf(tenant)({
      method: 'POST', url: webhook.url, headers, body, timeoutMs, bytesMax: responseBytesMax, isCut: true, ...(signal && { signal }),
    })
    return finish(describeResponse(response, clock.now()))
  } catch (error) {
    if (error instanceof EgressError) return finish({ error: error.message })
    throw error
  }
}

type SendRequest = { readonly webhook: Webhook; readonly event: WebhookEvent; readonly signal?: AbortSignal }

/** What an HTTP response means for an attempt. */
export function describeResponse({ status, headers, body }: EgressResponse, now: number): Partial<AttemptResult> {
  const isSuccess = status >= 200 && status < 300
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : ''
  return {
    httpStatus: status,
    error: isSuccess ? '' : `the receiver answered ${status}${redirect}`,
    snippet: decodeUtf8(body.subarray(0, limits.webhooks.snippetBytesMax)).replaceAll('\0', '').toWellFormed(),
    retryAfterMs: parseRetryAfter(headers['retry-after'], now),
  }
}

/** The secrets that sign now, the newest first; undefined where they were sealed under another key. */
function openSecrets({ secrets, clock }: SendDeps, tenant: TenantId, webhook: Webhook): readonly string[] | undefined {
  const { id, sealedSecret, previousSecret } = webhook
  const isOverlap = previousSecret !== undefined && clock.now() < previousSecret.until
  const sealed = [sealedSecret, ...(isOverlap ? [previousSecret.sealed] : [])]
  try {
    return sealed.map((text) => secrets.open(getSecretContext(tenant, id), text))
  } catch {
    return undefined
  }
}
