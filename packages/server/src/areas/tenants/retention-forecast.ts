import type { Clock } from '@tripline/common/runtime'
import type { RetentionForecastBody } from '@tripline/contract/console/access/retention-forecast'
import { selfTestTenant } from '@tripline/model/tenant'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { EventStore } from '@tripline/storage/events/event-store'

/** What a forecast is made of. */
export type ForecastDeps = {
  readonly state: StateStore
  readonly events: Pick<EventStore, 'stats'>
  readonly settingDefaults: TenantSettings
  readonly clock: Pick<Clock, 'now'>
  /** The space of the disk that holds events; undefined where it is not known. */
  readonly readDisk: () => Promise<{ readonly freeBytes: number } | undefined>
}

const hourMs = 3_600_000
const measuredHoursMax = 7 * 24
/** Events that were removed stay in the trash for a day. */
const trashDays = 1

/** Forecasts how much disk the events of a tenant need, by the rate of the last whole hours, and what events take on disk. */
export async function forecastRetention(
  { state, events, settingDefaults, clock, readDisk }: ForecastDeps, tenant: TenantId, stated?: number,
): Promise<RetentionForecastBody> {
  const { eventsRetentionDays } = resolveSettings(await state.tenants.get(tenant) ?? { settings: {} }, settingDefaults)
  const days = stated ?? eventsRetentionDays
  const to = Math.floor(clock.now() / hourMs) * hourMs
  const range = { name: 'events_accepted', resolution: 'hour', from: to - measuredHoursMax * hourMs, to } as const
  const hours = await state.metrics.series(tenant, range)
  const [first] = hours
  const measuredHours = first === undefined ? 0 : Math.round((to - first.startsAt) / hourMs)
  const accepted = hours.reduce((sum, { value }) => sum + value, 0)
  const { eventCount, storedBytes } = await events.stats(tenant)
  const eventsPerDay = measuredHours === 0 ? 0 : (24 * accepted) / measuredHours
  const bytesPerDay = eventCount === 0 ? 0 : eventsPerDay * (storedBytes / eventCount)
  const forecastBytes = bytesPerDay === 0 ? undefined : Math.round(bytesPerDay * (days + trashDays))
  // What others store on the same disk is not theirs to know.
  const isAlone = (await state.tenants.list()).every(({ id }) => id === tenant || id === selfTestTenant)
  const freeBytes = isAlone ? (await readDisk())?.freeBytes : undefined
  const growth = forecastBytes === undefined ? 0 : forecastBytes - storedBytes
  return {
    events_days: days, stored_events: eventCount, stored_bytes: storedBytes, measured_hours: measuredHours,
    events_per_day: Math.round(eventsPerDay), bytes_per_day: Math.round(bytesPerDay), forecast_bytes: forecastBytes ?? null,
    disk_free_bytes: freeBytes ?? null,
    days_until_full: freeBytes === undefined || growth <= freeBytes ? null : Math.floor(freeBytes / bytesPerDay),
  }
}
