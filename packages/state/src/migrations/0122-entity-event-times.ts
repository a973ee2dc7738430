import type { Migration } from './migrate.ts'

/** The times of an entity's alerts in its incident; of names that SQL folds otherwise than we do, those of the whole incident. */
const timesOf = (choose: 'min' | 'max', column: string): string => `coalesce((
  select ${choose}(alerts.${column}) from incident_alerts
    join alerts on alerts.tenant_id = incident_alerts.tenant_id and alerts.id = incident_alerts.alert_id
    where incident_alerts.tenant_id = incident_entities.tenant_id and incident_alerts.incident_id = incident_entities.incident_id
      and incident_alerts.is_member = 1
      and incident_entities.value = lower(case incident_entities.kind
        when 'host' then alerts.host when 'user' then alerts.user_name else alerts.source_ip end)
  ), (
  select ${column} from incidents
    where incidents.tenant_id = incident_entities.tenant_id and incidents.id = incident_entities.incident_id
  ))`

/** The times of the first and the last event of an incident's entities, beside those at which its alerts came. */
export const entityEventTimes: Migration = {
  name: 'entity event times',
  statements: [
    'alter table incident_entities add column first_event_at bigint not null default 0',
    'alter table incident_entities add column last_event_at bigint not null default 0',
    `update incident_entities set first_event_at = ${timesOf('min', 'first_event_at')}, last_event_at = ${timesOf('max', 'last_event_at')}`,
    `update incidents set entities = (
      select json_group_array(json_set(
        shown.value, '$.firstEventAt', coalesce(counted.first_event_at, incidents.first_event_at),
        '$.lastEventAt', coalesce(counted.last_event_at, incidents.last_event_at)
      ) order by shown.key)
      from json_each(incidents.entities) as shown
      left join incident_entities as counted on counted.tenant_id = incidents.tenant_id and counted.incident_id = incidents.id
        and counted.kind = json_extract(shown.value, '$.kind') and counted.value = json_extract(shown.value, '$.value')
    )`,
  ],
}
