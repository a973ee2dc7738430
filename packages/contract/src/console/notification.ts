import { z } from 'zod'
import { largeListSchema, listParameters } from '../list.ts'
import { listParameter } from '../page.ts'
import { channelDeliverySchema } from './channel.ts'

const { id, status, attempt, error, created_at: instant } = channelDeliverySchema.shape

/** What was sent, or is to be sent, to a webhook or a channel. */
const notificationSchema = z.strictObject({
  id,
  created_at: instant,
  /** `webhook_template` is a channel of type `webhook`. */
  channel: z.enum(['webhook', 'email', 'slack', 'teams', 'pagerduty', 'webhook_template']),
  /** The webhook or channel that it goes to. */
  target: z.string(),
  target_name: z.string(),
  /** The first event that it tells of, and how many there are. */
  event: z.string(),
  event_id: z.string(),
  notice_count: z.int(),
  title: z.string(),
  reason: z.enum(['event', 'replay', 'redelivery', 'test', 'escalation', 'playbook', 'report']),
  status,
  attempt,
  response_code: channelDeliverySchema.shape.response_code,
  error,
  next_attempt_at: channelDeliverySchema.shape.next_attempt_at,
})

export const notificationListSchema = z.strictObject({ notifications: z.array(notificationSchema), ...largeListSchema })
export const notificationListQuerySchema = z.strictObject({
  channel: listParameter(notificationSchema.shape.channel).optional(),
  status: listParameter(status).optional(),
  ...listParameters,
})
