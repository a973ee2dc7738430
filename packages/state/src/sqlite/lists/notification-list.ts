import type { Channel, Notice } from '@tripline/model/delivery/channel'
import type { Notification, NotificationChannel } from '@tripline/model/delivery/notification'
import { notificationFields } from '@tripline/model/lists/channel-fields'
import { sql } from 'kysely'
import type { ChannelMessageRow } from '../rows/channel-tables.ts'
import type { SqlList } from './list-page.ts'

type NotificationRow =
  & Pick<ChannelMessageRow, 'id' | 'status' | 'moreCount' | 'attempt' | 'dueAt' | 'lastAt' | 'durationMs' | 'httpStatus'>
  & Pick<ChannelMessageRow, 'error' | 'snippet'>
  & {
    readonly createdAt: number
    readonly channel: NotificationChannel
    readonly targetId: string
    readonly targetName: string
    readonly event: string
    readonly reason: Notification['reason']
    /** A JSON list. */
    readonly notices: string
    readonly language: Channel['language']
  }

const columns = {
  channel: 'n.channel', target: 'n.targetId', event: 'n.event', status: 'n.status', reason: 'n.reason', attempt: 'n.attempt',
  created_at: 'n.createdAt',
} as const satisfies { readonly [field in keyof typeof notificationFields]: string }

const shared = { fields: notificationFields, columns, select: sql`n.*`, tenant: 'n.tenantId', id: 'n.id', parse: parseRow } as const

/** What was sent to the webhooks of a tenant. */
export const webhookNotifications: SqlList<NotificationRow, Notification> = {
  ...shared, entries: 'notifications', texts: ['n.title', 'n.targetName', 'n.error'],
  from: sql`(select d.tenant_id, d.id, 'webhook' as channel, d.webhook_id as target_id, w.name as target_name, e.type as event, e.title,
      d.reason, d.status, d.attempt, d.due_at, d.last_at, d.duration_ms, d.http_status, d.error, d.snippet, d.created_at, 0 as more_count,
      'en' as language, json_array(json_object('id', e.id, 'type', e.type, 'at', e.at, 'subject', e.subject_id, 'title', e.title,
        'severity', e.severity, 'details', json(e.details))) as notices
    from webhook_deliveries d
    join webhook_events e on e.tenant_id = d.tenant_id and e.id = d.event_id
    join webhooks w on w.tenant_id = d.tenant_id and w.id = d.webhook_id) n`,
}

/** What was sent to the channels of a tenant. */
export const channelNotifications: SqlList<NotificationRow, Notification> = {
  ...shared, entries: 'notifications', texts: ['n.notices', 'n.targetName', 'n.error'],
  from: sql`(select m.tenant_id, m.id,
      case json_extract(c.settings, '$.type') when 'webhook' then 'webhook_template' else json_extract(c.settings, '$.type') end as channel,
      m.channel_id as target_id, c.name as target_name, json_extract(m.notices, '$[0].type') as event,
      m.reason, m.status, m.attempt, m.due_at, m.last_at, m.duration_ms, m.http_status, m.error, m.snippet, m.created_at, m.more_count,
      c.language, m.notices
    from channel_messages m
    join channels c on c.tenant_id = m.tenant_id and c.id = m.channel_id) n`,
}

/** The value that a notification is sorted by. */
export function readNotificationKey({ id, attempt, createdAt }: Notification, field: string): string | number {
  return field === 'id' ? id : field === 'attempt' ? attempt : createdAt
}

function parseRow(row: NotificationRow): Notification {
  const { id, channel, targetId, targetName, reason, status, moreCount, attempt, createdAt, language } = row
  const { lastAt, durationMs, httpStatus, error, snippet } = row
  const notices = (JSON.parse(row.notices) as readonly (Notice & { readonly severity: Notice['severity'] | null })[])
    .map(({ severity, ...notice }) => ({ ...notice, severity: severity ?? undefined }))
  return {
    id, channel, targetId, targetName, reason, status, moreCount, attempt, createdAt, language, notices, dueAt: row.dueAt ?? undefined,
    last: lastAt === null ? undefined : {
      at: lastAt, durationMs: durationMs ?? 0, httpStatus: httpStatus ?? undefined, error, snippet, retryAfterMs: undefined,
    },
  }
}
