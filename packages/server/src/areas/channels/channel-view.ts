import type {
  ChannelBody, ChannelDeliveryBody, ChannelRouteBody, NewChannelBody, NewChannelRouteBody,
} from '@tripline/contract/console/channel'
import type { Channel, ChannelRoute, ChannelRouteChange, ChannelSettings } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import { composeMessage } from '../../channels/compose-message.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'

/** Prints a channel without its secrets. */
export function printChannel({ settings, ...channel }: Channel): ChannelBody {
  return {
    id: channel.id, name: channel.name, settings: printSettings(settings), secrets: [...channel.secretNames], language: channel.language,
    enabled: channel.isEnabled, last_delivery_at: formatTimestamp(channel.lastDeliveryAt), skipped_count: channel.skippedCount,
    created_at: formatTimestamp(channel.createdAt), updated_at: formatTimestamp(channel.updatedAt),
  }
}

function printSettings(settings: ChannelSettings): ChannelBody['settings'] {
  if (settings.type !== 'email') return settings
  const { caCertificate, to, ...rest } = settings
  return { ...rest, to: [...to], ca_certificate: caCertificate }
}

/** The settings of a body. */
export function readSettings(settings: NewChannelBody['settings']): ChannelSettings {
  if (settings.type !== 'email') return settings
  const { ca_certificate: caCertificate, ...rest } = settings
  return { ...rest, caCertificate }
}

/** Prints a message with the title that it has in the language of its channel. */
export function printChannelDelivery(message: ChannelMessage, language: Channel['language']): ChannelDeliveryBody {
  const { id, channelId, routeId, reason, status, attempt, dueAt, last, createdAt, notices, moreCount } = message
  return {
    id, channel_id: channelId, route_id: routeId === '' ? null : routeId, reason, status, attempt,
    title: composeMessage(message, { language, publicUrl: '' }).title, notice_count: notices.length + moreCount,
    response_code: last?.httpStatus ?? null, duration_ms: last?.durationMs ?? null,
    error: last === undefined || last.error === '' ? null : last.error,
    next_attempt_at: formatTimestamp(dueAt), last_attempt_at: formatTimestamp(last?.at), created_at: formatTimestamp(createdAt),
    response_snippet: last?.snippet ?? '',
  }
}

export function printRoute({ quietHours, escalation, ...route }: ChannelRoute): ChannelRouteBody {
  return {
    id: route.id, name: route.name, events: [...route.events],
    // It was stored as it was sent, after it had been parsed.
    filter: route.filter === '' ? null : JSON.parse(route.filter) as ChannelRouteBody['filter'],
    channel_ids: [...route.channelIds],
    quiet_hours: quietHours === undefined ? null : {
      from: printTimeOfDay(quietHours.from), to: printTimeOfDay(quietHours.to), days: [...quietHours.days],
      except_severities: [...quietHours.exceptSeverities],
    },
    throttle_minutes: route.throttleMinutes, digest_minutes: route.digestMinutes,
    escalation: escalation === undefined ? null : { after_minutes: escalation.afterMinutes, channel_ids: [...escalation.channelIds] },
    enabled: route.isEnabled, created_at: formatTimestamp(route.createdAt), updated_at: formatTimestamp(route.updatedAt),
  }
}

/** A new route as its body states it. */
export function readNewRoute(body: NewChannelRouteBody): Omit<ChannelRoute, 'id' | 'version' | 'createdAt' | 'updatedAt'> {
  const { name, throttle_minutes: throttleMinutes, digest_minutes: digestMinutes, enabled: isEnabled } = body
  const nothing = { events: [], filter: '', channelIds: [], quietHours: undefined, escalation: undefined }
  return { ...nothing, name, throttleMinutes, digestMinutes, isEnabled, ...readRoute(body) }
}

/** What a change states of a route, without what it omits. */
export function readRoute(body: Partial<NewChannelRouteBody>): ChannelRouteChange {
  const { name, events, filter, channel_ids: channelIds, quiet_hours: quiet, escalation, enabled } = body
  return {
    ...(name !== undefined && { name }), ...(events !== undefined && { events: [...new Set(events)] }),
    ...(filter !== undefined && { filter: filter === null ? '' : JSON.stringify(filter) }),
    ...(channelIds !== undefined && { channelIds: [...new Set(channelIds)] }),
    ...(quiet !== undefined && { quietHours: quiet === null ? undefined : readQuietHours(quiet) }),
    ...(body.throttle_minutes !== undefined && { throttleMinutes: body.throttle_minutes }),
    ...(body.digest_minutes !== undefined && { digestMinutes: body.digest_minutes }),
    ...(escalation !== undefined && {
      escalation: escalation === null
        ? undefined
        : { afterMinutes: escalation.after_minutes, channelIds: [...new Set(escalation.channel_ids)] },
    }),
    ...(enabled !== undefined && { isEnabled: enabled }),
  }
}

function readQuietHours({ from, to, days, except_severities: severities }: NonNullable<NewChannelRouteBody['quiet_hours']>) {
  return {
    from: readTimeOfDay(from), to: readTimeOfDay(to), days: [...new Set(days)].toSorted((one, other) => one - other),
    exceptSeverities: [...new Set(severities)],
  }
}

function readTimeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

function printTimeOfDay(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
