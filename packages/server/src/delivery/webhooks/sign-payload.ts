import { createHmac } from 'node:crypto'

// Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and body, with symmetric secrets.

const secretPrefix = 'whsec_'
const secretBytes = 32

/** Creates the signing secret of a webhook, as its owner sees it once. */
export function createWebhookSecret(randomBytes: (count: number) => Uint8Array): string {
  return `${secretPrefix}${Buffer.from(randomBytes(secretBytes)).toString('base64')}`
}

/** The headers of an attempt: one signature for each secret, so that receivers may change theirs at any time of a rotation. */
export function signPayload(
  secrets: readonly string[], { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
): { readonly [name: string]: string } {
  const timestamp = String(Math.floor(at / 1_000))
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(sign).join(' ') }
}
