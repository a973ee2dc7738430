import type { Readings } from '@tripline/compliance/signals/snapshot'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { RuleHealth } from '@tripline/engine'
import { isRunning } from '@tripline/model/rule'
import { classifySource, readsMalwareProtection } from './classify-source.ts'

type RuleReadings = Pick<Readings, 'detection' | 'malware' | 'sourceClasses'>

/** What engines tell of the detection rules of a tenant, and which correlations lost state. */
type RuleProgress = { readonly progress: ReadonlyMap<string, RuleHealth>; readonly degraded: ReadonlySet<string> }

/**
 * Counts what the rules of a tenant cover. A rule covers its techniques if it is enabled, compiles, meets events and has every
 * field that it needs; all of a tenant's rules, enabled or not, tell which techniques are wanted.
 */
export function countRules({ rules }: Pick<TenantRules, 'rules'>, { progress, degraded }: RuleProgress): RuleReadings {
  const [wanted, covered, seen] = [new Set<string>(), new Set<string>(), new Set<ReturnType<typeof classifySource>[number]>()]
  let [eventsMet, malwareRules, hasTelemetry] = [0, 0, false]
  for (const { rule, problem } of rules) {
    rule.attack.techniques.forEach((technique) => wanted.add(technique))
    if (problem !== undefined || !isRunning(rule)) continue
    const health = progress.get(rule.id)
    const met = health?.metEvents ?? 0
    eventsMet += met
    const isHealthy = !degraded.has(rule.id) && health !== undefined && health.state !== 'field_never_seen'
    if (readsMalwareProtection(rule.logsource)) {
      hasTelemetry ||= met > 0
      if (health?.state !== 'field_never_seen') malwareRules++
    }
    if (met === 0) continue
    classifySource(rule.logsource).forEach((name) => seen.add(name))
    if (isHealthy) rule.attack.techniques.forEach((technique) => covered.add(technique))
  }
  return {
    sourceClasses: { eventsMet, seen: [...seen].sort() },
    detection: { eventsMet, techniquesWanted: wanted.size, techniquesCovered: covered.size },
    malware: { eventsMet, hasTelemetry, rules: malwareRules },
  }
}
