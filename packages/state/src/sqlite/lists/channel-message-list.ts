import type { Notice } from '@tripline/model/delivery/channel'
import type { ChannelMessage } from '@tripline/model/delivery/channel-message'
import { channelMessageFields } from '@tripline/model/lists/channel-fields'
import { sql } from 'kysely'
import type { ChannelMessageRow } from '../rows/channel-tables.ts'
import type { SqlList } from './list-page.ts'

const columns = {
  channel_id: 'channelId', status: 'status', reason: 'reason', attempt: 'attempt', created_at: 'createdAt',
} as const satisfies { readonly [field in keyof typeof channelMessageFields]: keyof ChannelMessageRow }

/** The messages of a tenant's channels. */
export const channelMessageList: SqlList<ChannelMessageRow, ChannelMessage> = {
  entries: 'messages', fields: channelMessageFields, columns, texts: ['notices', 'error'],
  from: sql`channel_messages`, select: sql`*`, tenant: 'tenantId', id: 'id', parse: parseMessageRow,
}

export function parseMessageRow(row: ChannelMessageRow): ChannelMessage {
  const { id, channelId, routeId, reason, status, moreCount, scheduledAt, attempt, dueAt, lastAt, createdAt } = row
  const { durationMs, httpStatus, error, snippet } = row
  return {
    id, channelId, routeId, reason, status, moreCount, scheduledAt, attempt, createdAt, notices: JSON.parse(row.notices) as Notice[],
    isBegun: row.isBegun === 1, dueAt: dueAt ?? undefined,
    last: lastAt === null ? undefined : {
      at: lastAt, durationMs: durationMs ?? 0, httpStatus: httpStatus ?? undefined, error, snippet, retryAfterMs: undefined,
    },
  }
}
