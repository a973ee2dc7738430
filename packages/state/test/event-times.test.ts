import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../src/migrations/migrate.ts'
import type { Migrations } from '../src/migrations/migrate.ts'
import { migrations } from '../src/migrations/migrations.ts'
import { openDatabase } from '../src/sqlite/query/database.ts'

/** Alerts of two tenants as an earlier release left them, with the times of their matches' events. */
const alerts = [
  { tenant: 'a', id: 'm1', createdAt: 9_000, eventTimes: [700, 300, null], firstEventAt: 300, lastEventAt: 700 },
  { tenant: 'a', id: 'm2', createdAt: 9_500, eventTimes: [800], firstEventAt: 800, lastEventAt: 800 },
  { tenant: 'a', id: 'm3', createdAt: 9_900, eventTimes: [null], firstEventAt: 9_900, lastEventAt: 9_900 },
  { tenant: 'b', id: 'm1', createdAt: 9_000, eventTimes: [1], firstEventAt: 1, lastEventAt: 1 },
]
const incidents = [
  { tenant: 'a', id: 'in1', members: ['m1', 'm2'], firstEventAt: 300, lastEventAt: 800 },
  { tenant: 'a', id: 'gone', members: [], firstEventAt: 0, lastEventAt: 0 },
  { tenant: 'b', id: 'in1', members: ['m1'], firstEventAt: 1, lastEventAt: 1 },
]
/** The entities of the first incident, each with the alerts that have it; names of alerts may be in capitals. */
const entities = [
  { kind: 'host', value: 'web-1', of: ['m1', 'm2'], firstEventAt: 300, lastEventAt: 800 },
  { kind: 'user', value: 'bob', of: ['m2'], firstEventAt: 800, lastEventAt: 800 },
  { kind: 'ip', value: '192.0.2.7', of: ['m1'], firstEventAt: 300, lastEventAt: 700 },
  // SQLite folds a to z alone: no alert is found, so that it has the times of the incident.
  { kind: 'user', value: 'ürsula', of: [], firstEventAt: 300, lastEventAt: 800 },
]
const texts = [
  'rule_id', 'rule_title', 'status', 'verdict', 'assignee', 'source', 'source_ip', 'product', 'description', 'host', 'user_name',
  'process_name', 'command_line', 'stated_time', 'tactics', 'techniques', 'enrichment', 'asset_criticality', 'incident_id', 'dedup_key',
]
const numbers = ['level', 'event_count', 'last_seen_at', 'reopened_count', 'version', 'updated_at']

test('alerts and incidents of an earlier release get the times of their events', async () => {
  const database = openDatabase({ path: ':memory:' })
  const run = (statement: string) => sql.raw(statement).execute(database.db)
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0118')) satisfies Migrations
  await migrate(database, before)
  for (const id of ['a', 'b']) {
    await run(`insert into tenants (id, name, is_active, settings, version, created_at, updated_at) values ('${id}', '${id}', 1, '{}', 1, 1, 1)`)
  }
  for (const { tenant, id, createdAt, eventTimes } of alerts) {
    await run(`insert into alerts (tenant_id, id, created_at, ${texts.join(', ')}, ${numbers.join(', ')})
      values ('${tenant}', '${id}', ${createdAt}, ${texts.map(() => "''").join(', ')}, ${numbers.map(() => '1').join(', ')})`)
    for (const [i, at] of eventTimes.entries()) {
      await run(`insert into alert_matches (tenant_id, match_id, alert_id, number, matched_at, event_at, event_offset)
        values ('${tenant}', '${id} ${i}', '${id}', ${i + 1}, ${createdAt}, ${at}, ${at === null ? null : i})`)
    }
  }
  for (const { tenant, id, members } of incidents) {
    await run(`insert into incidents (tenant_id, id, title, description, level, is_level_set, status, assignee, resolution_note, origin,
        merged_into, alert_count, worst_alert, tactics, techniques, entities, first_alert_at, last_alert_at, closed_at, reopened_at,
        timeline_length, comment_count, version, created_at, updated_at)
      values ('${tenant}', '${id}', '', '', 1, 0, 'open', '', '', 'user', '', ${members.length}, '', '[]', '[]', '[]', 0, 0, 0, 0, 0, 0, 1, 1, 1)`)
    // An alert that left it is no part of it any more.
    for (const alertId of [...members, 'm3']) {
      await run(`insert into incident_alerts (tenant_id, alert_id, incident_id, added_at, is_member)
        values ('${tenant}', '${alertId}', '${id}', 1, ${Number(members.includes(alertId))})`)
    }
  }
  const shown = entities.map(({ kind, value }) => ({ kind, value, alertCount: 1, firstAt: 9_000, lastAt: 9_500 }))
  await run(`update incidents set entities = '${JSON.stringify(shown)}' where tenant_id = 'a' and id = 'in1'`)
  const columns = { host: 'host', user: 'user_name', ip: 'source_ip' } as const
  for (const { kind, value, of } of entities) {
    await run(`insert into incident_entities (tenant_id, incident_id, kind, value, alert_count, first_at, last_at)
      values ('a', 'in1', '${kind}', '${value}', 1, 9000, 9500)`)
    for (const id of of) {
      await run(`update alerts set ${columns[kind as keyof typeof columns]} = '${value.toUpperCase()}' where tenant_id = 'a' and id = '${id}'`)
    }
  }
  await migrate(database, migrations)
  const read = async (table: string) => (await sql.raw(`select tenant_id || ' ' || id as entry, first_event_at, last_event_at
    from ${table} order by tenant_id, id`).execute(database.db)).rows
  const expected = (rows: readonly { tenant: string; id: string; firstEventAt: number; lastEventAt: number }[]) => rows
    .map(({ tenant, id, firstEventAt, lastEventAt }) => ({ entry: `${tenant} ${id}`, firstEventAt, lastEventAt }))
    .toSorted((one, other) => (one.entry < other.entry ? -1 : 1))
  expect(await read('alerts')).toEqual(expected(alerts))
  expect(await read('incidents')).toEqual(expected(incidents))
  const stored = await sql.raw(`select kind, value, first_at, last_at, first_event_at, last_event_at from incident_entities`).execute(database.db)
  const times = entities.map(({ of: _alerts, ...entity }) => ({ ...entity, firstAt: 9_000, lastAt: 9_500 }))
  expect(stored.rows).toEqual(expect.arrayContaining(times))
  const { rows: [row] } = await sql.raw<{ entities: string }>("select entities from incidents where tenant_id = 'a' and id = 'in1'").execute(database.db)
  expect(JSON.parse(row!.entities)).toEqual(times.map((entity) => ({ ...entity, alertCount: 1 })))
  expect((await sql.raw<{ entities: string }>("select entities from incidents where tenant_id = 'b'").execute(database.db)).rows[0]?.entities).toBe('[]')
  await database.db.destroy()
})
