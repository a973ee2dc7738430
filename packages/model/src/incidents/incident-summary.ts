import { tactics } from '../attack.ts'
import { printSpan } from '../time/print-span.ts'
import type { EntityKind } from './incident-facts.ts'
import type { Incident } from './incident.ts'

type Summarized = Pick<
  Incident, 'alertCount' | 'worst' | 'entities' | 'firstAlertAt' | 'lastAlertAt' | 'firstEventAt' | 'lastEventAt' | 'attack'
>

const prepositions: { readonly [kind in EntityKind]: string } = { host: 'on', user: 'by', ip: 'from' }
/** Alerts that arrive this much later than their events did not arrive with them, and the summary states both times. */
const arrivalDelayMs = 300_000

/**
 * Describes an incident in a sentence that its alerts alone decide: their number, the worst rule, the entities, the time
 * between the first event and the last, when the alerts arrived if that was later, and the tactics in the order of ATT&CK.
 * Nothing is asked of any other service.
 */
export function summarizeIncident(incident: Summarized): string {
  const { alertCount, worst, entities, attack } = incident
  if (worst === undefined) return 'No alerts.'
  const count = alertCount === 1 ? '1 alert' : `${alertCount} alerts`
  const named = (['host', 'user', 'ip'] as const).flatMap((kind) => {
    const [first, ...others] = entities.filter((entity) => entity.kind === kind)
    return first === undefined ? [] : [`${prepositions[kind]} ${first.value}${others.length === 0 ? '' : ` and ${others.length} more`}`]
  })
  const where = named.length === 0 ? '' : ` ${named.join(', ')}`
  const titles = attack.tactics.map((name) => tactics.find((tactic) => tactic.name === name)?.title ?? name)
  const seen = titles.length === 0 ? '' : ` ${titles.join(', ')}.`
  return `${count}, the worst ${worst.level}: ${worst.ruleTitle}${where}${printTimes(incident)}.${seen}`
}

function printTimes({ firstEventAt, lastEventAt, firstAlertAt, lastAlertAt }: Summarized): string {
  if (firstEventAt === undefined || lastEventAt === undefined || firstAlertAt === undefined || lastAlertAt === undefined) return ''
  const events = `; events ${printPeriod(firstEventAt, lastEventAt)}`
  // A live alert arrives with the event that raised it, and repeats it later.
  const isLate = firstAlertAt - firstEventAt >= arrivalDelayMs
  return isLate ? `${events}; alerts arrived ${printPeriod(firstAlertAt, lastAlertAt)}` : events
}

function printPeriod(from: number, to: number): string {
  if (to - from < 1_000) return `at ${printInstant(from)}`
  return `from ${printInstant(from)} to ${printInstant(to)} (${printSpan(to - from)})`
}

function printInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
