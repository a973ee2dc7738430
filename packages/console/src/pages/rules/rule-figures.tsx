import { Link } from '@tanstack/react-router'
import type { RuleDetail } from '@tripline/contract/console/rule'
import type { ReactNode } from 'react'
import { enRuleParts } from '../../i18n/en/rule-parts.ts'
import { addTexts, printNumber, t } from '../../i18n/translate.ts'
import { useNow } from '../../lib/clock.ts'
import { printAge, printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Facts } from '../../ui/entries/facts.tsx'
import { CircleCheck, CircleX } from '../../ui/icons.tsx'
import styles from './rule-panel.module.css'

// They are no part of the first page.
addTexts(enRuleParts)

/** What a rule found lately, how right it was, and what it costs; its problem first, where it has one. */
export function RuleFigures({ rule }: { readonly rule: RuleDetail }): ReactNode {
  const { id, health, stats } = rule
  return (
    <>
      {health.problem !== null && <p className={styles['problem']}>{toVisibleText(health.problem)}</p>}
      <Facts
        facts={[
          [t('rules.fact.matches'), printNumber(stats.matches_last_24h)],
          [t('rules.fact.evaluations'), printNumber(stats.evaluations_last_24h)],
          [t('rules.fact.truePositives'), printNumber(stats.true_positives_last_7d)],
          [t('rules.fact.falsePositives'), printNumber(stats.false_positives_last_7d)],
          [t('rules.fact.cost'), printCost(rule)],
        ]}
      />
      <Link to="/alerts" search={{ rule: id, from: '-30d' }}>
        {t('rules.alerts')}
      </Link>
    </>
  )
}

function printCost({ cost }: RuleDetail): string {
  // A rule whose calls were never sampled has no cost yet.
  return cost === null || cost.ns_per_event_p99 === 0 ? '' : t('rules.nanoseconds', { value: printNumber(cost.ns_per_event_p50) })
}

/** The fields that a rule reads, and which of them no event ever had. */
export function RequiredFields({ fields, lastSeen }: {
  readonly fields: RuleDetail['required_fields']
  /** When each was last seen in a stored event, as far as that was looked for; undefined for one that was not. */
  readonly lastSeen?: ReadonlyMap<string, string | undefined> | undefined
}): ReactNode {
  const now = useNow()
  return (
    <ul className={styles['fields']}>
      {fields.map(({ field, seen }) => {
        // A stored event that has it is a proof, whenever the server started.
        const wasSeen = seen || lastSeen?.get(field) !== undefined
        return (
          <li key={field} data-seen={wasSeen || undefined}>
            {wasSeen ? <CircleCheck size={14} aria-hidden /> : <CircleX size={14} aria-hidden />}
            <code>{toVisibleText(field)}</code>
            {(seen || !wasSeen) && <span>{seen ? t('rules.fieldSeen') : t('rules.fieldNeverSeen')}</span>}
            {lastSeen?.has(field) === true && <LastSeen at={lastSeen.get(field)} now={now} />}
          </li>
        )
      })}
    </ul>
  )
}

function LastSeen({ at, now }: { readonly at: string | undefined; readonly now: number }): ReactNode {
  if (at === undefined) return <span>{t('rules.fieldNotLately')}</span>
  return <time dateTime={at} title={printTime(at)}>{t('rules.fieldLast', { age: printAge(at, now) })}</time>
}
