import type { Migration } from './migrate.ts'

/** Risk scores of an asset that are kept. */
const risksMax = 1_000

const note = `insert into asset_risks (tenant_id, asset_id, at, score)
  values (new.tenant_id, new.id, new.updated_at, new.risk_score)
  on conflict (tenant_id, asset_id, at) do update set score = excluded.score;
  delete from asset_risks where tenant_id = new.tenant_id and asset_id = new.id and at < (
    select at from asset_risks where tenant_id = new.tenant_id and asset_id = new.id order by at desc limit 1 offset ${risksMax - 1});`

/** The risk score of an asset from each moment on at which it changed. Triggers note it, whatever changes the asset. */
export const assetRisks: Migration = {
  name: 'asset risks',
  statements: [
    `create table asset_risks (
      tenant_id text not null,
      asset_id text not null,
      at bigint not null,
      score bigint not null,
      row_checksum bigint,
      primary key (tenant_id, asset_id, at),
      foreign key (tenant_id, asset_id) references assets (tenant_id, id)
    )`,
    `insert into asset_risks (tenant_id, asset_id, at, score)
      select tenant_id, id, updated_at, risk_score from assets where risk_score > 0`,
    `create trigger asset_risks_began after insert on assets when new.risk_score > 0 begin ${note} end`,
    `create trigger asset_risks_changed after update of risk_score on assets when new.risk_score <> old.risk_score begin ${note} end`,
  ],
}
