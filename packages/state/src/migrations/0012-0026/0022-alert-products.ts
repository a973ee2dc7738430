import type { Migration } from '../migrate.ts'

/** The product of an alert's log source, and the description of its rule; earlier alerts have neither. */
export const alertProducts: Migration = {
  name: 'alert products',
  statements: [
    "alter table alerts add column product text not null default ''",
    "alter table alerts add column description text not null default ''",
    'create index alerts_by_product on alerts (tenant_id, product, created_at, id)',
  ],
}
