import type { Channel, Notice } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import type { PublicSeverity } from '@tripline/model/level'
import { limits } from '../limits.ts'
import { channelWords } from './channel-words.ts'

/** A message as a person reads it. */
export type ComposedMessage = {
  readonly title: string
  /** One line for each notice, with where it leads. */
  readonly lines: readonly { readonly text: string; readonly url: string }[]
  /** How many notices have no line. */
  readonly more: string
  /** The highest of its notices. */
  readonly severity: PublicSeverity
  readonly url: string
  readonly openLabel: string
}

const severityOrder: readonly PublicSeverity[] = ['critical', 'high', 'medium', 'low', 'info']

/** The console page of each kind of subject, below the public URL. */
const pages: { readonly [kind: string]: (subject: string) => string } = {
  alert: (id) => `/alerts/${id}`,
  incident: (id) => `/incidents/${id}`,
  collector: (id) => `/collectors/${id}`,
  connector: (id) => `/connectors/${id}`,
  rule: (id) => `/rules/${encodeURIComponent(id)}`,
  report: (id) => `/reports/${id}`,
  channel: () => '/settings/channels',
}

/** Composes a message in the language of its channel. */
export function composeMessage(
  { notices, moreCount, reason }: Pick<ChannelMessage, 'notices' | 'moreCount' | 'reason'>,
  { language, publicUrl }: Pick<Channel, 'language'> & { readonly publicUrl: string },
): ComposedMessage {
  const words = channelWords[language]
  const lines = notices.slice(0, limits.channels.linesMax).map((notice) =>
    ({ text: printNotice(notice, language), url: `${publicUrl}${findPage(notice)}` }))
  const count = notices.length + moreCount
  const [first] = lines
  const hidden = count - lines.length
  const title = count === 1 && first !== undefined ? first.text : words.summary(count)
  const severities = notices.map(({ severity }) => severity)
  return {
    title: reason === 'escalation' ? `${words.escalated}: ${title}` : title,
    lines, more: hidden > 0 ? words.more(hidden) : '', openLabel: words.open,
    severity: severityOrder.find((severity) => severities.includes(severity)) ?? 'info',
    url: count === 1 && first !== undefined ? first.url : `${publicUrl}/alerts`,
  }
}

/** The message as plain text, without its title. */
export function printText({ lines, more }: ComposedMessage): string {
  return [...lines.flatMap(({ text, url }) => [text, url]), ...(more === '' ? [] : [more])].join('\n')
}

function findPage({ type, subject, details }: Notice): string {
  const [kind = ''] = type === 'playbook.notify' ? [details.sourceType] : type.split('.')
  return pages[kind]?.(subject) ?? '/'
}

function printNotice({ type, title, severity, details: { status, updatedBy } }: Notice, language: Channel['language']): string {
  const words = channelWords[language]
  const level = severity === undefined ? '' : `[${words.severities[severity]}] `
  const isChange = type === 'alert.updated' || type === 'incident.updated'
  const change = isChange && status !== undefined
    ? ` (${words.status}: ${words.statuses[status] ?? status}${updatedBy === undefined ? '' : `, ${words.updatedBy}: ${updatedBy}`})`
    : ''
  // One line: what attackers wrote must not look like another message.
  const line = `${level}${words.notices[type]}: ${title}${change}`.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return line.slice(0, limits.channels.lineLengthMax).toWellFormed()
}
