import type { ChannelSettings } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import type { AttemptResult } from '@tripline/model/delivery/webhook-delivery'
import { isIP } from 'node:net'
import type { Dial } from '../egress/egress.ts'
import { EgressError } from '../egress/egress-error.ts'
import { limits } from '../limits.ts'

/** Ports that mail may be sent to over the internet. */
const mailPorts = [25, 465, 587, 2_525]

/** A file that goes with a message. */
export type Attachment = { readonly filename: string; readonly contentType: string; readonly content: Buffer }

type Mail = {
  readonly settings: Extract<ChannelSettings, { readonly type: 'email' }>
  readonly password: string | undefined
  readonly message: Pick<ChannelMessage, 'id' | 'createdAt'>
  readonly subject: string
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly signal: AbortSignal
}

/**
 * Sends a mail by SMTP. Each attempt has the same Message-ID and date, so that mail servers and readers recognise a
 * repetition. A connection that must be secured never falls back to one in the clear.
 */
export async function sendMail(
  dial: Dial, { settings, password, message, subject, text, attachments, signal }: Mail,
): Promise<Pick<AttemptResult, 'httpStatus' | 'error' | 'snippet'>> {
  const { host, port, security, username, from, to } = settings
  const { mailMs, connectMs: timeoutMs } = limits.channels
  try {
    const connection = await dial({ host, port, ports: mailPorts, isSecure: security !== 'none', timeoutMs, signal })
    const stop = (): void => void connection.destroy()
    signal.addEventListener('abort', stop, { once: true })
    const timer = setTimeout(stop, mailMs)
    // Loaded with the first mail: most servers send none.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      host, port, connection, secure: security === 'tls', requireTLS: security === 'starttls', ignoreTLS: security === 'none',
      tls: {
        // An address is no server name of TLS; the certificate is checked against it all the same.
        ...(isIP(host) === 0 && { servername: host }), minVersion: 'TLSv1.2',
        ...(settings.caCertificate !== '' && { ca: settings.caCertificate }),
      },
      greetingTimeout: mailMs, socketTimeout: mailMs, disableFileAccess: true, disableUrlAccess: true,
      ...(username !== '' && { auth: { user: username, pass: password ?? '' } }),
    })
    try {
      const sent = await transport.sendMail({
        from, to: [...to], subject, text, attachments: [...attachments], date: new Date(message.createdAt),
        messageId: `<${message.id}@${from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '')}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      const refused = sent.rejected.length === 0 ? '' : `the server refused ${sent.rejected.map(printAddress).join(', ')}`
      return { httpStatus: readCode(sent.response), error: refused, snippet: cut(sent.response) }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      transport.close()
      connection.destroy()
    }
  } catch (error) {
    if (error instanceof EgressError) return { httpStatus: undefined, error: error.message, snippet: '' }
    return describeMailFailure(host, error)
  }
}

const sentences: { readonly [code: string]: string } = {
  EAUTH: 'does not accept the user name or password',
  ETLS: 'offers no TLS that can be used, or its certificate is not trusted',
  EENVELOPE: 'refused the sender or all recipients',
  EMESSAGE: 'refused the message',
  ETIMEDOUT: 'did not answer in time',
  ECONNECTION: 'closed the connection',
  ESOCKET: 'closed the connection, or its certificate is not trusted',
}

function describeMailFailure(host: string, error: unknown): Pick<AttemptResult, 'httpStatus' | 'error' | 'snippet'> {
  if (!(error instanceof Error)) throw error
  const { code, responseCode, response } = error as Error & { code?: unknown; responseCode?: unknown; response?: unknown }
  const sentence = typeof code === 'string' && Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return {
    httpStatus: typeof responseCode === 'number' && responseCode >= 100 ? responseCode : undefined,
    error: `'${host}' ${sentence ?? `failed (${typeof code === 'string' ? code : error.name})`}`,
    snippet: typeof response === 'string' ? cut(response) : '',
  }
}

function printAddress(address: unknown): string {
  return typeof address === 'string' ? address : (address as { readonly address: string }).address
}

function readCode(response: string): number | undefined {
  const [code] = /^\d{3}/.exec(response) ?? []
  return code === undefined ? undefined : Number(code)
}

function cut(text: string): string {
  return text.slice(0, limits.webhooks.snippetBytesMax).replaceAll('\0', '').toWellFormed()
}
