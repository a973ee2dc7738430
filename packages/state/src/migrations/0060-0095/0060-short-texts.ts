import type { Migration } from '../migrate.ts'

const texts = ['rule_title', 'description', 'host', 'user_name', 'command_line', 'id']
/** Behind the last text follow two more characters, so that a trigram begins at each character of the texts. */
function joinTexts(row: 'new' | 'alerts'): string {
  return [...texts.map((column) => `${row}.${column}`), 'char(10)'].join(' || char(10) || ')
}

/** Fills the index of texts. */
export const fillAlertTexts = `insert into alert_texts (rowid, text) select rowid, ${joinTexts('alerts')} from alerts`

/** Texts of one or two characters are found in the index of trigrams: by all that begin with them. */
export const shortTexts: Migration = {
  name: 'short texts',
  statements: [
    'drop trigger alert_texts_inserted',
    'drop trigger alert_texts_updated',
    `insert into alert_texts (alert_texts) values ('delete-all')`,
    fillAlertTexts,
    `create trigger alert_texts_inserted after insert on alerts begin
      insert into alert_texts (rowid, text) values (new.rowid, ${joinTexts('new')});
    end`,
    `create trigger alert_texts_updated after update of ${texts.join(', ')} on alerts
    when ${texts.map((column) => `new.${column} <> old.${column}`).join(' or ')} begin
      delete from alert_texts where rowid = old.rowid;
      insert into alert_texts (rowid, text) values (new.rowid, ${joinTexts('new')});
    end`,
    `create virtual table alert_texts_terms using fts5vocab (alert_texts, 'row')`,
  ],
}
