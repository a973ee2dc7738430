import type { Level } from '@tripline/engine'
import { consoleLevels } from '../domain/level.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { Meter } from './meter.ts'

/** What is counted of an alert that was made. */
export type CountedAlert = {
  readonly ruleId: string
  readonly level: Level
  readonly attack: { readonly tactics: readonly string[] }
}

/** Counts alerts that were made, once each: by rule, by severity as the console has it, and under each of their tactics. */
export function countAlerts(meter: Pick<Meter, 'count'>, tenant: TenantId, alerts: readonly CountedAlert[]): void {
  meter.count(tenant, 'alerts_generated', { by: alerts.length })
  for (const { ruleId, level, attack } of alerts) {
    meter.count(tenant, 'rule_alerts', { label: ruleId })
    meter.count(tenant, 'severity_alerts', { label: consoleLevels[level] })
    for (const tactic of new Set(attack.tactics)) meter.count(tenant, 'tactic_alerts', { label: tactic })
  }
}
