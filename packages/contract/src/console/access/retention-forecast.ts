import { z } from 'zod'
import { countParameter } from '../../page.ts'
import { limits } from '../../limits.ts'

const { eventsRetentionDaysMax } = limits.tenantSettings

/** The days to forecast; default: those that are set. */
export const retentionForecastQuerySchema = z.strictObject({
  events_days: countParameter.refine((days) => days <= eventsRetentionDaysMax, `must be at most ${eventsRetentionDaysMax}`).optional(),
})

/** How much disk the events of the tenant need, by how many came of late. Alerts and the audit trail are not in it. */
export const retentionForecastSchema = z.strictObject({
  events_days: z.int(),
  stored_events: z.int(),
  stored_bytes: z.int(),
  /** Hours that the rate was measured over: at most a week; 0 where no event came in it, and nothing is forecast. */
  measured_hours: z.int(),
  events_per_day: z.int(),
  bytes_per_day: z.int(),
  /** What is stored once events are as old as they are kept, with a day in the trash. */
  forecast_bytes: z.int().nullable(),
  /** Of the disk that holds them; null where tenants share it, or it is not known. */
  disk_free_bytes: z.int().nullable(),
  /** Days until that disk is full at this rate; null where it does not become full, or its space is not known. */
  days_until_full: z.int().nullable(),
})
export type RetentionForecastBody = z.infer<typeof retentionForecastSchema>
