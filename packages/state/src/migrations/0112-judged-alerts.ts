import type { Migration } from './migrate.ts'

/** Counts the alerts of a rule that people judged lately, for a page of rules, without reading their rows. */
export const judgedAlerts: Migration = {
  name: 'judged alerts',
  statements: [
    `create index judged_alerts_by_rule on alerts (tenant_id, rule_id, updated_at, verdict)
      where verdict in ('true_positive', 'false_positive')`,
  ],
}
