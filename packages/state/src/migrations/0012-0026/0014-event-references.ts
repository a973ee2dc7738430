import type { Migration } from '../migrate.ts'

/**
 * The version of the rule that raised an alert, and the reference of each match to its stored event. Earlier alerts and
 * matches have neither.
 */
export const eventReferences: Migration = {
  name: 'event references',
  statements: [
    'alter table alerts add column rule_version bigint not null default 0',
    'alter table alert_matches add column event_at bigint',
    'alter table alert_matches add column event_offset bigint',
  ],
}
