import { limits } from '../limits.ts'
import type { Channel, ChannelSecrets, Notice } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import type { PublicSeverity } from '@tripline/model/level'
import { printText } from './compose-message.ts'
import type { ComposedMessage } from './compose-message.ts'
import { fillTemplate } from './fill-template.ts'

/** An HTTP request that carries a message. */
type PrintedRequest = { readonly url: string; readonly headers: { readonly [name: string]: string }; readonly body: string }

type Printing = {
  readonly channel: Channel
  readonly secrets: ChannelSecrets
  readonly message: ChannelMessage
  readonly composed: ComposedMessage
}

/** Prints the request of a message for a channel that speaks HTTP. */
export function printRequest({ channel: { settings }, secrets, message, composed }: Printing): PrintedRequest {
  const headers = { 'content-type': 'application/json', 'user-agent': 'tripline-channels/1', 'idempotency-key': message.id }
  const { url = '', authorization } = secrets
  switch (settings.type) {
    case 'slack':
      return { url, headers, body: JSON.stringify(printSlack(composed)) }
    case 'teams':
      return { url, headers, body: JSON.stringify(printTeams(composed)) }
    case 'pagerduty':
      return { url: settings.url, headers, body: JSON.stringify(printPagerDuty(secrets.routing_key ?? '', message, composed)) }
    case 'webhook': {
      const body = settings.template === '' ? JSON.stringify(printGeneric(message, composed)) : fillTemplate(settings.template, {
        id: message.id, reason: message.reason, title: composed.title, text: printText(composed), severity: composed.severity,
        url: composed.url, count: String(message.notices.length + message.moreCount),
      })
      return { url, headers: { ...headers, ...(authorization !== undefined && { authorization }) }, body }
    }
    case 'email':
      throw new Error('mail is not sent by HTTP')
  }
}

/** Slack's marks for control sequences, which texts of others must not have. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function printSlack({ title, lines, more }: ComposedMessage): object {
  // A bar would end the address of a link, and text would begin.
  const links = lines.map(({ text, url }) => `• <${url}|${escapeSlack(text).replaceAll('|', '¦')}>`)
  const text = [...links, ...(more === '' ? [] : [escapeSlack(more)])].join('\n')
  return {
    text: escapeSlack(title),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title.slice(0, limits.channels.slackTitleMax).toWellFormed(), emoji: false } },
      ...splitText(text, limits.channels.slackTextMax)
        .map((part) => ({ type: 'section', text: { type: 'mrkdwn', text: part, verbatim: true } })),
    ],
    unfurl_links: false, unfurl_media: false,
  }
}

/** Splits lines into texts of limited length. */
function splitText(text: string, lengthMax: number): readonly string[] {
  const parts = ['']
  for (const line of text.split('\n')) {
    const last = parts.length - 1
    const longer = parts[last] === '' ? line : `${parts[last]}\n${line}`
    if (longer.length > lengthMax) parts.push(line.slice(0, lengthMax))
    else parts[last] = longer
  }
  return parts.filter((part) => part !== '')
}

/** Marks of the Markdown of adaptive cards. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-!|<>~]/g, String.raw`\$&`)
}

function printTeams({ title, lines, more, severity, url, openLabel }: ComposedMessage): object {
  const color = severity === 'critical' || severity === 'high' ? 'attention' : 'default'
  const texts = [...lines.map((line) => `[${escapeMarkdown(line.text)}](${line.url})`), ...(more === '' ? [] : [more])]
  const content = {
    type: 'AdaptiveCard', $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', version: '1.4',
    body: [
      { type: 'TextBlock', text: escapeMarkdown(title), weight: 'bolder', wrap: true, color },
      ...texts.map((text) => ({ type: 'TextBlock', text, wrap: true, spacing: 'small' })),
    ],
    actions: [{ type: 'Action.OpenUrl', title: openLabel, url }],
  }
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }] }
}

const pagerSeverities: { readonly [severity in PublicSeverity]: string } = {
  critical: 'critical', high: 'error', medium: 'warning', low: 'info', info: 'info',
}

/** What a notice means for the incident that PagerDuty keeps of its subject. */
function toPagerAction({ type, details: { status = '' } }: Notice): 'trigger' | 'acknowledge' | 'resolve' {
  if (type === 'collector.connected') return 'resolve'
  if (type !== 'alert.updated' && type !== 'incident.updated') return 'trigger'
  if (status === 'in_progress' || status === 'investigating') return 'acknowledge'
  return ['resolved', 'false_positive', 'closed'].includes(status) ? 'resolve' : 'trigger'
}

function printPagerDuty(routingKey: string, { id, notices, moreCount }: ChannelMessage, composed: ComposedMessage): object {
  const [only] = notices
  const isSingle = notices.length + moreCount === 1 && only !== undefined
  const { title, lines, severity, url, openLabel } = composed
  return {
    routing_key: routingKey,
    event_action: isSingle ? toPagerAction(only) : 'trigger',
    // The same for all of a subject, and on each attempt.
    dedup_key: isSingle ? `tripline:${only.type.split('.')[0]}:${only.subject}` : `tripline:${id}`,
    payload: {
      summary: title.slice(0, limits.channels.pagerTitleMax).toWellFormed(), source: 'tripline', severity: pagerSeverities[severity],
      timestamp: new Date(only?.at ?? 0).toISOString(), class: only?.type, custom_details: { notices: lines.map(({ text }) => text) },
    },
    links: [{ href: url, text: openLabel }],
  }
}

function printGeneric({ id, reason, notices, moreCount }: ChannelMessage, { title, severity, url, ...composed }: ComposedMessage): object {
  return {
    id, reason, title, text: printText({ title, severity, url, ...composed }), severity, url,
    notices: notices.map(({ type, at, subject, ...notice }) => ({
      id: notice.id, event: type, at: new Date(at).toISOString(), subject, title: notice.title, severity: notice.severity ?? null,
    })),
    more_count: moreCount,
  }
}
