import { tactics } from '../attack.ts'
import type { EntityKind } from './incident-facts.ts'
import type { Incident } from './incident.ts'

type Summarized = Pick<Incident, 'alertCount' | 'worst' | 'entities' | 'firstAlertAt' | 'lastAlertAt' | 'attack'>

const prepositions: { readonly [kind in EntityKind]: string } = { host: 'on', user: 'by', ip: 'from' }

/**
 * Describes an incident in a sentence that its alerts alone decide: their number, the worst rule, the entities, the time
 * between the first and the last, and the tactics in the order of ATT&CK. Nothing is asked of any other service.
 */
export function summarizeIncident({ alertCount, worst, entities, firstAlertAt, lastAlertAt, attack }: Summarized): string {
  if (worst === undefined || firstAlertAt === undefined || lastAlertAt === undefined) return 'No alerts.'
  const count = alertCount === 1 ? '1 alert' : `${alertCount} alerts`
  const named = (['host', 'user', 'ip'] as const).flatMap((kind) => {
    const [first, ...others] = entities.filter((entity) => entity.kind === kind)
    return first === undefined ? [] : [`${prepositions[kind]} ${first.value}${others.length === 0 ? '' : ` and ${others.length} more`}`]
  })
  const where = named.length === 0 ? '' : ` ${named.join(', ')}`
  const titles = attack.tactics.map((name) => tactics.find((tactic) => tactic.name === name)?.title ?? name)
  const seen = titles.length === 0 ? '' : ` ${titles.join(', ')}.`
  return `${count}, the worst ${worst.level}: ${worst.ruleTitle}${where}; ${printPeriod(firstAlertAt, lastAlertAt)}.${seen}`
}

function printPeriod(from: number, to: number): string {
  if (to - from < 1_000) return `at ${printInstant(from)}`
  return `from ${printInstant(from)} to ${printInstant(to)}`
}

function printInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
