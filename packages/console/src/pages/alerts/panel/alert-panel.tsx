import { Link } from '@tanstack/react-router'
import type { AlertBody, AlertDetailBody } from '@tripline/contract/console/alert'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../../api/use-may.ts'
import { EntryBar, EntryFoot, EntryTabs, EntryView } from '../../../frame/entry/entry-view.tsx'
import { t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { useKeys } from '../../../lib/keys.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { SeverityLabel } from '../../../ui/badge.tsx'
import { DueCell } from '../../../ui/entries/cell.tsx'
import { CommentForm, CommentList } from '../../../ui/entries/comments.tsx'
import { listReasons } from '../../../ui/explain-tree.tsx'
import { ErrorBoundary } from '../../../ui/loading/error-boundary.tsx'
import { Skeleton } from '../../../ui/loading/skeleton.tsx'
import { PanelSection } from '../../../ui/side-panel.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { getSeverity, StatusPill } from '../alert-columns.tsx'
import { getExplanation, useAlert, useAlertContext } from '../alert-queries.ts'
import { changeAlerts } from '../alert-store.ts'
import { alertTabs } from '../alert-url.ts'
import type { AlertTab } from '../alert-url.ts'
import type { TriageAction } from '../triage.ts'
import { AlertActions } from './alert-actions.tsx'
import styles from './alert-panel.module.css'
import { AlertParts } from './alert-parts.tsx'
import { ExceptionDialog } from './exception-dialog.tsx'
import { HistorySection } from './history-section.tsx'

type AlertPanelProps = {
  /** The row of the list, which is known before the details are. */
  readonly row: AlertBody | undefined
  readonly id: string
  /** Whether one stays at it: what is passed by is not asked for. */
  readonly isRested: boolean
  /** Whether it is a page of its own, in place of the list. */
  readonly isPage: boolean
  readonly tab: AlertTab | undefined
  readonly position: number
  readonly total: number
  readonly mayChange: boolean
  readonly onTab: (tab: AlertTab | undefined) => void
  readonly onAct: (action: TriageAction) => void
  readonly onAssign: () => void
  readonly onNewIncident: () => void
  readonly onMove: (step: -1 | 1) => void
  readonly onOpen: (id: string) => void
  readonly onOpenPage: () => void
  readonly onClose: () => void
}

/** Everything about one alert, beside the list or as a page: why it came, who is concerned, what happened around it, what was decided. */
export function AlertPanel(props: AlertPanelProps): ReactNode {
  const { row, id, isRested, isPage, tab, position, total, mayChange, onTab, onOpen } = props
  const { onAct, onAssign, onNewIncident, onMove, onOpenPage, onClose } = props
  const { data, error, refetch } = useAlert(id, isRested)
  const comment = useRef<HTMLTextAreaElement>(null)
  const [isCommenting, setIsCommenting] = useState(false)
  const mayExcept = useMay('suppress_briefly')
  const [isExcepting, setIsExcepting] = useState(false)
  const except = mayExcept && data !== undefined && data.alert.correlation === null ? () => setIsExcepting(true) : undefined
  const beginComment = (): void => {
    if (tab !== undefined && tab !== 'history') onTab('history')
    setIsCommenting(true)
  }
  // The field may stand in a tab that is shown first.
  useEffect(() => {
    if (!isCommenting || comment.current === null) return
    comment.current.focus()
    setIsCommenting(false)
  }, [isCommenting, tab, data])
  useKeys([
    ...(except === undefined ? [] : [{ keys: 'e', label: t('alerts.exception.title'), run: except }]),
    ...(mayChange ? [{ keys: 'c', label: t('alerts.keys.comment'), run: beginComment }] : []),
  ])
  const shown = row ?? data?.alert
  const sendComment = async (notes: string): Promise<boolean> => {
    if (data !== undefined) await changeAlerts([data.alert], { notes }, '')
    return data !== undefined
  }
  return (
    <EntryView
      isPage={isPage}
      label={shown?.rule_title ?? t('alerts.title')}
      head={
        <>
          <EntryBar {...{ isPage, path: `/alerts/${encodeURIComponent(id)}`, position, total, onMove, onOpenPage, onClose }}>
            {shown !== undefined && <SeverityLabel severity={getSeverity(shown)} />}
            {shown !== undefined && <StatusPill status={shown.status} />}
          </EntryBar>
          {shown !== undefined && (
            <Head {...{ alert: shown, mayChange, onAct, onAssign, onNewIncident, onExcept: except }} />
          )}
        </>
      }
      tabs={<EntryTabs tabs={alertTabs} current={tab} printTab={(one) => t(`alerts.tab.${one}`)} onChoose={onTab} />}
      foot={
        <EntryFoot
          isPage={isPage}
          keys={[
            ...(mayChange ? [['c', t('entry.foot.comment')] as const] : []),
            ...(except === undefined ? [] : [['e', t('alerts.foot.exception')] as const]),
          ]}
        />
      }
    >
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <ErrorBoundary key={id}>
          <AlertParts alert={data.alert} isPage={isPage} tab={tab} onOpen={onOpen}>
            <PanelSection title={t('alerts.section.comments')}>
              <CommentList comments={data.alert.comments} />
              {mayChange && <CommentForm ref={comment} onSend={sendComment} />}
              <HistorySection alert={data.alert} isOpen={tab === 'history'} />
            </PanelSection>
          </AlertParts>
          {isExcepting && <Excepting alert={data.alert} onClose={() => setIsExcepting(false)} />}
        </ErrorBoundary>
      )}
    </EntryView>
  )
}

function Head({
  alert,
  mayChange,
  onAct,
  onAssign,
  onNewIncident,
  onExcept,
}: Pick<AlertPanelProps, 'mayChange' | 'onAct' | 'onAssign' | 'onNewIncident'> & {
  readonly alert: AlertBody
  readonly onExcept: (() => void) | undefined
}): ReactNode {
  const { rule_title: title, event, event_count: count, assignee, verdict, incident_id: incident, sla } = alert
  const facts = [
    printTime(event.timestamp),
    event.source,
    t('alerts.events', { count }),
    assignee ?? t('alerts.unassigned'),
    ...(verdict === 'unreviewed' ? [] : [t(`alerts.verdict.${verdict}`)]),
  ]
  return (
    <>
      <h2 className={styles['title']}>{toVisibleText(title)}</h2>
      <p className={styles['facts']}>
        {facts
          .filter((fact) => fact !== '')
          .map((fact) => (
            <span key={fact}>{toVisibleText(fact)}</span>
          ))}
        {sla !== null && (
          <span>
            {t('due')} <DueCell sla={sla} />
          </span>
        )}
        {incident !== null && !mayChange && <Link to="/incidents" search={{ incident }}>{t('alerts.incident.of')}</Link>}
      </p>
      {mayChange && <AlertActions {...{ alert, onAct, onAssign, onNewIncident, onExcept }} />}
    </>
  )
}

/** The dialog of an exception, with why the rule matched. */
function Excepting({ alert, onClose }: { readonly alert: AlertDetailBody; readonly onClose: () => void }): ReactNode {
  const { data, isSuccess, isError } = useAlertContext(alert.id)
  if (!isSuccess && !isError) return null
  const explanation = data === undefined ? null : getExplanation(data)
  return <ExceptionDialog alert={alert} reasons={explanation === null ? [] : listReasons(explanation)} onClose={onClose} />
}
