import type { PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { Pill } from '../../ui/badge.tsx'
import styles from './books.module.css'

/** The parts that the accepted events are in, one each. */
const parts = ['evaluated', 'quarantined', 'deduplicated', 'in_flight', 'lost'] as const
/** Figures that stand beside the balance. */
const others = ['stored', 'not_searchable', 'stored_lost', 'late', 'state_evicted'] as const
/** Figures that are bad news unless they are 0. */
const badFigures: ReadonlySet<string> = new Set(['quarantined', 'lost', 'stored_lost'])

/** Where every accepted event is, as a sum that must be right. */
export function Books({ books }: { readonly books: PipelineMetricsBody['books'] }): ReactNode {
  const quarantined = Object.values(books.quarantined).reduce((sum, count) => sum + count, 0)
  const counts = { ...books, quarantined }
  const missing = books.accepted - parts.reduce((sum, name) => sum + counts[name], 0)
  return (
    <section className={styles['books']} aria-label={t('pipeline.books')}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{t('pipeline.books')}</h2>
        <Pill tone={missing === 0 ? 'ok' : 'bad'}>
          {missing === 0 ? t('pipeline.books.balanced') : t('pipeline.books.off', { count: missing })}
        </Pill>
      </div>
      <dl className={styles['sum']}>
        <Term name="accepted" count={books.accepted} />
        {parts.map((name, index) => (
          <Term key={name} name={name} count={counts[name]} sign={index === 0 ? '=' : '+'} />
        ))}
      </dl>
      <dl className={styles['others']}>
        {others.map((name) => (
          <Term key={name} name={name} count={counts[name]} />
        ))}
      </dl>
      {quarantined > 0 && (
        <ul className={styles['reasons']}>
          {Object.entries(books.quarantined).map(([reason, count]) => (
            <li key={reason}>{t('pipeline.books.reason', { reason: printReason(reason), count })}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const knownReasons = ['not_an_event', 'unreadable', 'failed', 'no_alert'] as const

/** Why events are quarantined in words; a reason that a newer server knows is shown as it is. */
function printReason(reason: string): string {
  const known = knownReasons.find((one) => one === reason)
  return known === undefined ? reason : t(`pipeline.books.reason.${known}`)
}

type TermName = (typeof parts)[number] | (typeof others)[number] | 'accepted'

function Term({ name, count, sign }: { readonly name: TermName; readonly count: number; readonly sign?: string }): ReactNode {
  return (
    <div className={styles['term']} data-bad={(badFigures.has(name) && count > 0) || undefined}>
      {sign !== undefined && (
        <span className={styles['sign']} aria-hidden>
          {sign}
        </span>
      )}
      <dt>{t(`pipeline.books.${name}`)}</dt>
      <dd>{printNumber(count)}</dd>
    </div>
  )
}
