import type { Notification } from '@tripline/model/delivery/notification'
import { composeMessage } from './compose-message.ts'

/** What a notification tells of, in the language of its receiver: the title of an event, or that of a message. */
export function describeNotification(
  notification: Notification,
): { readonly event: string; readonly eventId: string; readonly title: string } {
  const { channel, notices: [first], language, reason } = notification
  const composed = { ...notification, reason: reason === 'escalation' ? reason : 'event' } as const
  return {
    event: first?.type ?? '', eventId: first?.id ?? '',
    title: channel === 'webhook' ? first?.title ?? '' : composeMessage(composed, { language, publicUrl: '' }).title,
  }
}
