import { tactics } from '@tripline/model/attack'
import type { Alert } from '@tripline/model/alert'
import { printSpan } from '@tripline/model/time/print-span'

/**
 * Summarizes an alert in a sentence, by a fixed rule from its title, entities, events and ATT&CK: "Encoded PowerShell on web-1
 * by alice, 14 events in 3 min; Execution T1059.001; asset criticality high." The span is that of the events' own times.
 */
export function summarizeAlert({ ruleTitle, event, eventCount, firstEventAt, lastEventAt, attack, assetCriticality }: Alert): string {
  const place = event.host === '' ? '' : ` on ${event.host}`
  const person = event.user === '' ? '' : ` by ${event.user}`
  const [tactic = ''] = attack.tactics
  const title = tactics.find(({ name }) => name === tactic)?.title ?? tactic
  const attacks = [title, attack.techniques[0] ?? ''].filter((part) => part !== '').join(' ')
  const isCriticalityKnown = assetCriticality !== '' && assetCriticality !== 'unknown'
  return [
    `${ruleTitle}${place}${person}, ${printCount(eventCount, lastEventAt - firstEventAt)}`,
    ...(attacks === '' ? [] : [attacks]),
    ...(isCriticalityKnown ? [`asset criticality ${assetCriticality}`] : []),
  ].join('; ').concat('.')
}

function printCount(count: number, spanMs: number): string {
  return count === 1 ? '1 event' : `${count} events in ${printSpan(spanMs)}`
}
