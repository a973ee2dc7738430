import type { CountedAlert } from '@tripline/detection/pipeline/pipeline-instruments'
import { consoleLevels } from '@tripline/model/level'
import type { TenantId } from '@tripline/model/tenant'
import type { Meter } from './meter.ts'

/** Counts new alerts: by rule, by severity of the console, and by tactic. */
export function countAlerts(meter: Pick<Meter, 'count'>, tenant: TenantId, alerts: readonly CountedAlert[]): void {
  meter.count(tenant, 'alerts_generated', { by: alerts.length })
  for (const { ruleId, level, attack } of alerts) {
    meter.count(tenant, 'rule_alerts', { label: ruleId })
    meter.count(tenant, 'severity_alerts', { label: consoleLevels[level] })
    for (const tactic of new Set(attack.tactics)) meter.count(tenant, 'tactic_alerts', { label: tactic })
  }
}
