import { Link } from '@tanstack/react-router'
import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { AlertContextBody } from '@tripline/contract/console/alerts/alert-context'
import type { ReactNode } from 'react'
import { printTactic } from '../../../i18n/print-tactic.ts'
import { t } from '../../../i18n/translate.ts'
import { printEventLine } from '../../../lib/event-line.ts'
import { printClock, printTime } from '../../../lib/format-time.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { PanelSection } from '../../../ui/side-panel.tsx'
import { StatusPill } from '../alert-columns.tsx'
import { useSurroundings } from '../alert-queries.ts'
import styles from './panel-sections.module.css'

/** What happened on the same host around the first event. */
export function SurroundingsSection({ eventId }: { readonly eventId: string }): ReactNode {
  const { data, error, refetch } = useSurroundings(eventId)
  return (
    <PanelSection title={t('alerts.section.around')}>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 1 && <p className={styles['note']}>{t('alerts.around.none')}</p>}
      {data !== undefined && data.data.length > 1 && (
        <ol className={styles['events']}>
          {data.more_before && <li className={styles['note']}>{t('alerts.around.earlier')}</li>}
          {data.data.map(({ id, timestamp, source_type: source, ...event }) => (
            <li key={id} className={styles['event']} aria-current={id === eventId || undefined}>
              <time dateTime={timestamp} title={printTime(timestamp)}>
                {printClock(timestamp)}
              </time>
              <span className={styles['source']}>{toVisibleText(source)}</span>
              <span className={styles['text']}>{toVisibleText(printEventLine(event).slice(0, 300))}</span>
            </li>
          ))}
          {data.more_after && <li className={styles['note']}>{t('alerts.around.later')}</li>}
        </ol>
      )}
      {data !== undefined && (
        <Link to="/search" search={{ q: data.query, from: data.from, to: data.to, event: eventId }}>
          {t('alerts.around.search')}
        </Link>
      )}
    </PanelSection>
  )
}

type SimilarSectionProps = { readonly similar: AlertContextBody['similar']; readonly onOpen: (id: string) => void }

/** Other alerts of the same rule, and what was decided about them. */
export function SimilarSection({ similar = [], onOpen }: SimilarSectionProps): ReactNode {
  if (similar.length === 0) return null
  return (
    <PanelSection title={t('alerts.section.similar')}>
      <ul className={styles['similar']}>
        {similar.map(({ id, created_at: at, host, user, status, verdict }) => (
          <li key={id}>
            <button type="button" className={styles['other']} onClick={() => onOpen(id)}>
              <time dateTime={at}>{printTime(at)}</time>
              <span className={styles['text']}>{toVisibleText(host === '' ? user : host)}</span>
              {verdict !== 'unreviewed' && <span className={styles['note']}>{t(`alerts.verdict.${verdict}`)}</span>}
              <StatusPill status={status} />
            </button>
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}

/** What an attacker wants and does by the rule, each with where else that is. */
function Attack({ mitre: { tactics, techniques } }: Pick<AlertDetailBody, 'mitre'>): ReactNode {
  if (tactics.length + techniques.length === 0) return null
  return (
    <div>
      <h4 className={styles['heading']}>{t('alerts.section.attack')}</h4>
      <div className={styles['attack']}>
        {tactics.map((tactic) => (
          <Link key={tactic} to="/alerts" search={{ tactic }} title={t('alerts.attack.alerts', { name: printTactic(tactic) })}>
            {printTactic(tactic)}
          </Link>
        ))}
        {techniques.map((technique) => (
          <Link key={technique} to="/rules" search={{ technique }} title={t('alerts.attack.rules', { name: technique })}>
            {technique}
          </Link>
        ))}
      </div>
    </div>
  )
}

/** The rule: what it looks for, when it is wrong, how often it alerts, and whether it was another one then. */
export function RuleSection({ rule, mitre }: {
  readonly rule: NonNullable<AlertContextBody['rule']>
  readonly mitre: AlertDetailBody['mitre']
}): ReactNode {
  const { id, version, current_version: current, description, false_positives: benign, references, alerts_last_24h: count } = rule
  return (
    <PanelSection title={t('alerts.section.rule')}>
      <div className={styles['rule']}>
        {description !== '' && <p>{toVisibleText(description)}</p>}
        {current === null && <p className={styles['note']}>{t('alerts.rule.removed')}</p>}
        {version !== null && current !== null && version !== current && (
          <p className={styles['note']}>
            {t('alerts.rule.changed', { before: version, now: current })}{' '}
            <Link to="/rules/$id" params={{ id }} search={{ tab: 'history', version: String(version) }}>{t('alerts.rule.compare')}</Link>
          </p>
        )}
        <p className={styles['note']}>{t('alerts.rule.alerts', { count })}</p>
        <Attack mitre={mitre} />
        {benign.length > 0 && <Texts title={t('alerts.rule.falsePositives')} texts={benign} />}
        {references.length > 0 && <Texts title={t('alerts.rule.references')} texts={references} />}
        {current !== null && <Link to="/rules/$id" params={{ id }}>{t('alerts.rule.open')}</Link>}
      </div>
    </PanelSection>
  )
}

/** Texts of a rule; addresses are shown and never linked, because a rule may come from anywhere. */
function Texts({ title, texts }: { readonly title: string; readonly texts: readonly string[] }): ReactNode {
  return (
    <div>
      <h4 className={styles['heading']}>{title}</h4>
      <ul className={styles['texts']}>
        {texts.map((text) => (
          <li key={text}>{toVisibleText(text)}</li>
        ))}
      </ul>
    </div>
  )
}
