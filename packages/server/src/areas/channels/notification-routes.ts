import { notificationListQuerySchema, notificationListSchema } from '@tripline/contract/console/notification'
import type { Notification } from '@tripline/model/delivery/notification'
import { describeNotification } from '../../channels/describe-notification.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { isAny } from './channel-routes.ts'
import type { ChannelDeps } from './channels.ts'

/** The route of what was sent to webhooks and channels. */
export function notificationRoutes(deps: Pick<ChannelDeps, 'state'> & ListRouteDeps & CursorDeps): Route[] {
  return [listRoute(deps, {
    path: '/v1/notifications', access: 'read_webhooks', summary: 'Lists what was sent to webhooks and channels, newest first',
    name: 'notifications', list: lists.notifications, query: notificationListQuerySchema, response: notificationListSchema,
    toWhere: ({ channel, status }) => [...isAny('channel', channel), ...isAny('status', status)],
    readPage: async (c, request) => {
      const name = { tenant: getPrincipal(c).tenant, endpoint: 'notifications' }
      const { entries, ...page } = await readListPage(deps, name, request, deps.state.notifications)
      return { ...page, entries: entries.map(printNotification) }
    },
  })]
}

function printNotification(notification: Notification): object {
  const { id, createdAt, channel, targetId, targetName, notices, moreCount, reason, status, attempt, last, dueAt } = notification
  const { event, eventId, title } = describeNotification(notification)
  return {
    id, created_at: formatTimestamp(createdAt), channel, target: targetId, target_name: targetName, event, event_id: eventId,
    notice_count: notices.length + moreCount, title, reason, status, attempt, response_code: last?.httpStatus ?? null,
    error: last === undefined || last.error === '' ? null : last.error, next_attempt_at: formatTimestamp(dueAt),
  }
}
