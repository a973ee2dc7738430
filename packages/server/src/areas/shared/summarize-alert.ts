import { tactics } from '@tripline/model/attack'
import type { Alert } from '@tripline/model/alert'

/**
 * Summarizes an alert in a sentence, by a fixed rule from its title, entities, counts and ATT&CK: "Encoded PowerShell on web-1
 * by alice, 14 events in 3 min; Execution T1059.001; asset criticality high."
 */
export function summarizeAlert({ ruleTitle, event, eventCount, createdAt, lastSeenAt, attack, assetCriticality }: Alert): string {
  const place = event.host === '' ? '' : ` on ${event.host}`
  const person = event.user === '' ? '' : ` by ${event.user}`
  const [tactic = ''] = attack.tactics
  const title = tactics.find(({ name }) => name === tactic)?.title ?? tactic
  const attacks = [title, attack.techniques[0] ?? ''].filter((part) => part !== '').join(' ')
  const isCriticalityKnown = assetCriticality !== '' && assetCriticality !== 'unknown'
  return [
    `${ruleTitle}${place}${person}, ${printCount(eventCount, lastSeenAt - createdAt)}`,
    ...(attacks === '' ? [] : [attacks]),
    ...(isCriticalityKnown ? [`asset criticality ${assetCriticality}`] : []),
  ].join('; ').concat('.')
}

function printCount(count: number, spanMs: number): string {
  return count === 1 ? '1 event' : `${count} events in ${printSpan(spanMs)}`
}

const spans: readonly (readonly [ms: number, unit: string])[] = [[86_400_000, 'd'], [3_600_000, 'h'], [60_000, 'min'], [1_000, 's']]

function printSpan(spanMs: number): string {
  const [ms, unit] = spans.find(([ms]) => spanMs >= 2 * ms) ?? [1_000, 's']
  return `${Math.round(spanMs / ms)} ${unit}`
}
