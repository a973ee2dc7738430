import type { SubjectText } from '@tripline/model/compliance/erasure'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import { inTransaction } from '../query/database.ts'
import { channelStore } from '../channels/channels.ts'
import type { Tables } from '../rows/tables.ts'
import { reportScheduleStore } from './report-schedules.ts'

type ErasedAddressees = { readonly tenant: TenantId; readonly subject: SubjectText }

/**
 * Removes a person from the recipients of report schedules and of mail channels, where another text in the place of an address
 * would be sent to; returns how many were changed. A schedule or channel without a recipient left is disabled: an empty list of a
 * schedule means all recipients of its channels.
 */
export function eraseAddressees(db: Kysely<Tables>, { tenant, subject }: ErasedAddressees): Promise<number> {
  const keep = (addresses: readonly string[]): readonly string[] => addresses.filter((address) => !subject.isIn(address))
  return inTransaction(db, async (db) => {
    const [schedules, channels] = [reportScheduleStore(db), channelStore(db)]
    let count = 0
    for (const { id, recipients, updatedAt: at } of await schedules.list(tenant)) {
      const kept = keep(recipients)
      if (kept.length === recipients.length) continue
      const change = { recipients: kept, ...(kept.length === 0 && { isEnabled: false, nextRunAt: undefined }) }
      await schedules.update(tenant, id, change, { expectedVersion: undefined, at })
      count++
    }
    for (const { id, settings, updatedAt: at } of await channels.list(tenant)) {
      if (settings.type !== 'email') continue
      const kept = keep(settings.to)
      if (kept.length === settings.to.length) continue
      const change = { settings: { ...settings, to: kept }, ...(kept.length === 0 && { isEnabled: false }) }
      await channels.update(tenant, id, change, { expectedVersion: undefined, at })
      count++
    }
    return count
  })
}
