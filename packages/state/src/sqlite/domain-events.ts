import { buildDomainEventId, isDomainEventType } from '@tripline/model/delivery/domain-event'
import type { DomainEvent, DomainEventData, NewDomainEvent } from '@tripline/model/delivery/domain-event'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { DomainEventStore } from '../ports/delivery/domain-event-store.ts'
import { takeIntact } from './query/row-checksums.ts'
import type { DomainEventRow, Tables } from './rows/tables.ts'

/** The reading side of the outbox, and what removes from it; `publish-changes.ts` alone writes to it. */
export function domainEventStore(db: Kysely<Tables>): Omit<DomainEventStore, 'announceAlerts'> {
  return {
    async read(tenant, after, limit) {
      const reading = db.selectFrom('domainEvents').selectAll().where('tenantId', '=', tenant).where('seq', '>', after)
      const rows = await reading.orderBy('seq').limit(limit).execute()
      const events = takeIntact('domainEvents', rows).flatMap((row) => parseEventRow(row) ?? [])
      return { events, readTo: rows.at(-1)?.seq ?? Math.max(after, await findLastSeq(db, tenant)) }
    },
    async heads() {
      // One search of the key for each tenant; a grouped maximum would read all events.
      const rows = await db.selectFrom('tenants').select((eb) => [
        'id', eb.selectFrom('domainEvents').whereRef('tenantId', '=', 'tenants.id').select(({ fn }) => fn.max('seq').as('seq')).as('seq'),
      ]).execute()
      return new Map(rows.flatMap(({ id, seq }) => (seq === null ? [] : [[id, seq]])))
    },
    async positions(consumer) {
      const rows = await db.selectFrom('domainEventPositions').selectAll().where('consumer', '=', consumer).execute()
      // Without its position, a consumer starts again at the oldest event that is kept.
      return new Map(takeIntact('domainEventPositions', rows).map(({ tenantId, seq }) => [tenantId, seq]))
    },
    async savePosition(tenantId, consumer, seq) {
      const saving = db.insertInto('domainEventPositions').values({ tenantId, consumer, seq })
      await saving.onConflict((conflict) => conflict.columns(['tenantId', 'consumer']).doUpdateSet({ seq })).execute()
    },
    async trim(tenant, through, limit) {
      const rowsOf = db.selectFrom('domainEvents').where('tenantId', '=', tenant)
      const oldest = await rowsOf.select('seq').orderBy('seq').limit(1).executeTakeFirst()
      if (oldest === undefined) return 0
      const removing = db.deleteFrom('domainEvents').where('tenantId', '=', tenant)
      const some = removing.where('seq', '<=', Math.min(through, oldest.seq + limit - 1))
      return Number((await some.executeTakeFirst()).numDeletedRows)
    },
    async removeOld(tenant, before) {
      const removing = db.deleteFrom('domainEvents').where('tenantId', '=', tenant).where('at', '<', before)
      // The last one keeps the number from which the next events count on.
      const last = await findLastSeq(db, tenant)
      return Number((await removing.where('seq', '<', last).executeTakeFirst()).numDeletedRows)
    },
  }
}

/**
 * Appends events of a tenant; call it in the transaction of their cause, which has locked the database. Returns the number
 * of the last one.
 */
export async function appendDomainEvents(db: Kysely<Tables>, tenantId: TenantId, events: readonly NewDomainEvent[]): Promise<number> {
  let seq = await findLastSeq(db, tenantId)
  for (const { type, subject, at, data } of events) {
    seq++
    await db.insertInto('domainEvents').values({ tenantId, seq, type, subjectId: subject, at, data: JSON.stringify(data) }).execute()
  }
  return seq
}

/** The number of the last event, kept or not: a position says what was handled, even after the events were removed. */
export async function findLastSeq(db: Kysely<Tables>, tenant: TenantId): Promise<number> {
  const events = db.selectFrom('domainEvents').where('tenantId', '=', tenant).select('seq')
  const last = await events.orderBy('seq', 'desc').limit(1).executeTakeFirst()
  if (last !== undefined) return last.seq
  const positions = await db.selectFrom('domainEventPositions').where('tenantId', '=', tenant).select('seq').execute()
  return Math.max(0, ...positions.map(({ seq }) => seq))
}

/** Undefined for an event of a newer program. */
function parseEventRow({ tenantId, seq, type, subjectId, at, data }: DomainEventRow): DomainEvent | undefined {
  if (!isDomainEventType(type)) return undefined
  // The checksum of the row vouches for what was written.
  const event = { type, subject: subjectId, at, data: JSON.parse(data) as DomainEventData[typeof type] } as NewDomainEvent
  return { ...event, seq, id: buildDomainEventId(tenantId, seq, event) }
}
