import type { SecretBox } from '@tripline/model/access/secret-box'
import type { Clock } from '@tripline/common/runtime'
import type { Channel, ChannelSecrets } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import type { AttemptResult } from '@tripline/model/delivery/webhook-delivery'
import type { TenantId } from '@tripline/model/tenant'
import { describeResponse } from '../delivery/webhooks/send-delivery.ts'
import type { Dial, Egress } from '../egress/egress.ts'
import { EgressError } from '../egress/egress-error.ts'
import { limits } from '../limits.ts'
import { composeMessage, printText } from './compose-message.ts'
import { printRequest } from './print-request.ts'
import { sendMail } from './send-mail.ts'
import type { Attachment } from './send-mail.ts'

/** What an attempt needs of the server. */
export type ChannelSendDeps = {
  /** The guarded ways out of a tenant. */
  /** The ways out of a tenant: requests over HTTP, and connections for mail. */
  readonly networkOf: (tenant: TenantId) => { readonly egress: Egress; readonly dial: Dial }
  /** The files that go with a mail. */
  readonly readAttachments: (tenant: TenantId, message: ChannelMessage) => Promise<readonly Attachment[]>
  readonly secrets: Pick<SecretBox, 'open'>
  readonly publicUrl: string
  readonly clock: Clock
}

/** Where the secrets of a channel are sealed for. */
export function getChannelSecretContext(tenant: TenantId, channelId: string) {
  return { tenant, owner: channelId, key: 'channel_secrets' }
}

type Sending = { readonly channel: Channel; readonly message: ChannelMessage; readonly signal: AbortSignal }

/** Makes one attempt to deliver a message, and reports what came of it. Throws only for errors of this server. */
export async function sendMessage(deps: ChannelSendDeps, tenant: TenantId, { channel, message, signal }: Sending): Promise<AttemptResult> {
  const { clock, publicUrl } = deps
  const at = clock.now()
  const startedMs = clock.elapsedMs()
  const finish = (outcome: Partial<AttemptResult>): AttemptResult => {
    const durationMs = Math.round(clock.elapsedMs() - startedMs)
    return { at, durationMs, httpStatus: undefined, error: '', snippet: '', retryAfterMs: undefined, ...outcome }
  }
  const secrets = openChannelSecrets(deps, tenant, channel)
  if (secrets === undefined) {
    return finish({ error: 'the secrets cannot be decrypted with the key of this installation; set them again' })
  }
  const composed = composeMessage(message, { language: channel.language, publicUrl })
  const { settings } = channel
  if (settings.type === 'email') {
    const named = message.notices.flatMap(({ details: { recipients = [] } }) => recipients)
    const to = named.length > 0 ? [...new Set(named)] : settings.to
    const attachments = await deps.readAttachments(tenant, message)
    const { title: subject, openLabel, url } = composed
    const text = `${printText(composed)}\n\n${openLabel}: ${url}\n`
    return finish(await sendMail(deps.networkOf(tenant).dial, {
      settings: { ...settings, to }, password: secrets.password, message, subject, text, attachments, signal,
    }))
  }
  const { attemptMs: timeoutMs, responseBytesMax: bytesMax } = limits.webhooks
  try {
    const request = printRequest({ channel, secrets, message, composed })
    const response = await deps.networkOf(tenant).egress({ method: 'POST', ...request, timeoutMs, bytesMax, isCut: true, signal })
    return finish(describeResponse(response, clock.now()))
  } catch (error) {
    if (error instanceof EgressError) return finish({ error: error.message })
    throw error
  }
}

/** The secrets of a channel; undefined where they were sealed under another key. */
function openChannelSecrets({ secrets }: ChannelSendDeps, tenant: TenantId, { id, sealedSecrets }: Channel): ChannelSecrets | undefined {
  try {
    return JSON.parse(secrets.open(getChannelSecretContext(tenant, id), sealedSecrets)) as ChannelSecrets
  } catch {
    return undefined
  }
}
