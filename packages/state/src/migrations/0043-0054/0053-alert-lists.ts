import type { Migration } from '../migrate.ts'

const texts = ['rule_title', 'description', 'host', 'user_name', 'command_line', 'id']
const joinTexts = (row: 'new' | 'alerts'): string => texts.map((column) => `${row}.${column}`).join(' || char(10) || ')

const fillAlertTexts = `insert into alert_texts (rowid, text) select rowid, ${joinTexts('alerts')} from alerts`

/**
 * Lists of alerts by their status, assignee, title and number of events, and an index of the trigrams in their texts. It holds
 * neither texts nor positions: what it finds is compared with the rows.
 */
export const alertLists: Migration = {
  name: 'alert lists',
  statements: [
    'create index alerts_by_status_time on alerts (tenant_id, status, created_at, id)',
    'create index alerts_by_assignee on alerts (tenant_id, assignee, created_at, id)',
    'create index alerts_by_title on alerts (tenant_id, rule_title, created_at, id)',
    'create index alerts_by_event_count on alerts (tenant_id, event_count, created_at, id)',
    `create virtual table alert_texts using fts5 (text, tokenize = 'trigram', content = '', contentless_delete = 1, detail = none)`,
    fillAlertTexts,
    `create trigger alert_texts_inserted after insert on alerts begin
      insert into alert_texts (rowid, text) values (new.rowid, ${joinTexts('new')});
    end`,
    `create trigger alert_texts_updated after update of ${texts.join(', ')} on alerts
    when ${texts.map((column) => `new.${column} <> old.${column}`).join(' or ')} begin
      delete from alert_texts where rowid = old.rowid;
      insert into alert_texts (rowid, text) values (new.rowid, ${joinTexts('new')});
    end`,
    `create trigger alert_texts_deleted after delete on alerts begin
      delete from alert_texts where rowid = old.rowid;
    end`,
  ],
}
