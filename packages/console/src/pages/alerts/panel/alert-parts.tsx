import { Link } from '@tanstack/react-router'
import type { AlertDetailBody } from '@tripline/contract/console/alert'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { EntryParts } from '../../../frame/entry/entry-view.tsx'
import type { EntryPart } from '../../../frame/entry/entry-view.tsx'
import { printNumber, t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { ExplainTree, listReasons } from '../../../ui/explain-tree.tsx'
import { FieldList } from '../../../ui/field-list.tsx'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { PanelSection } from '../../../ui/side-panel.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { getExplanation, useAlertContext } from '../alert-queries.ts'
import type { AlertTab } from '../alert-url.ts'
import { WhySentence } from '../why-sentence.tsx'
import styles from './alert-parts.module.css'
import { CorrelationSection } from './correlation-section.tsx'
import { Entities } from './entities.tsx'
import { RuleSection, SimilarSection, SurroundingsSection } from './panel-sections.tsx'
import { ValueLinks, toDay } from './value-links.tsx'

type AlertPartsProps = {
  readonly alert: AlertDetailBody
  readonly isPage: boolean
  readonly tab: AlertTab | undefined
  readonly onOpen: (id: string) => void
  /** What follows what is known: comments. */
  readonly children: ReactNode
}

/** What is known of an alert: why it came, who is concerned, what happened around it, what was decided. */
export function AlertParts({ alert, isPage, tab, onOpen, children }: AlertPartsProps): ReactNode {
  const { data, error, isError, refetch } = useAlertContext(alert.id)
  const explanation = useMemo(() => (data === undefined ? null : getExplanation(data)), [data])
  const { evidence: [first], event: { host } } = alert
  const reasons = useMemo(() => (explanation === null ? [] : listReasons(explanation)), [explanation])
  const marked = useMemo(() => new Map(reasons.map(({ field, pattern }) => [field ?? '', pattern])), [reasons])
  const problem = data === undefined || explanation !== null ? undefined : (data.explain?.problem ?? t('alerts.why.noMatch'))
  const parts: readonly EntryPart<AlertTab>[] = [
    {
      id: 'why',
      content: (
        <PanelSection title={t('alerts.section.why')}>
          {data === undefined && !isError && <Skeleton lines={2} />}
          <WhySentence alert={alert} reasons={reasons} problem={problem} />
          {data?.explain?.rule_as_it_was === false && explanation !== null && <p className={styles['note']}>{t('alerts.why.byNow')}</p>}
          {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        </PanelSection>
      ),
    },
    {
      id: 'conditions',
      content: explanation === null ? <CorrelationSection alert={alert} /> : (
        <PanelSection title={t('alerts.section.conditions')}>
          <ExplainTree node={explanation} />
        </PanelSection>
      ),
    },
    {
      id: 'entities',
      isAside: true,
      content: (
        <PanelSection title={t('alerts.section.entities')}>
          <Entities alert={alert} known={data?.entities} />
        </PanelSection>
      ),
    },
    ...alert.evidence.map(({ match_id: match, event, event_id: stored, timestamp }, index) => ({
      id: match,
      tab: 'event' as const,
      content: (
        <PanelSection
          title={
            alert.evidence.length === 1
              ? t('alerts.section.event')
              : t('alerts.section.eventOf', { number: printNumber(index + 1), time: printTime(timestamp) })
          }
        >
          {event === null ? <p className={styles['note']}>{t('alerts.eventTooLarge')}</p> : (
            <FieldList event={event} marked={marked} actions={(field, value) => <ValueLinks {...{ field, value, host, timestamp }} />} />
          )}
          {stored !== null && (
            <Link to="/search" search={{ event: stored, ...toDay(timestamp) }}>{t('alerts.event.open')}</Link>
          )}
        </PanelSection>
      ),
    })),
    {
      id: 'around', tab: 'around', content: typeof first?.event_id === 'string' && <SurroundingsSection eventId={first.event_id} />,
    },
    { id: 'similar', tab: 'similar', isAside: true, content: <SimilarSection similar={data?.similar} onOpen={onOpen} /> },
    { id: 'rule', isAside: true, content: data?.rule !== undefined && <RuleSection rule={data.rule} mitre={alert.mitre} /> },
    { id: 'history', tab: 'history', isAside: true, content: children },
  ]
  return <EntryParts isPage={isPage} tab={tab} parts={parts} />
}
