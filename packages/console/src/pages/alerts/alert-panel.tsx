import { Link } from '@tanstack/react-router'
import type { AlertBody, AlertDetailBody } from '@tripline/contract/console/alert'
import { useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { PlaybookMenu } from '../../frame/playbooks/playbook-menu.tsx'
import { printNumber, t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { printTime } from '../../lib/format-time.ts'
import { printValueQuery } from '../../lib/text-query.ts'
import { toIso } from '../../lib/time-range.ts'
import { printValue, toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { Button, IconButton, Kbd } from '../../ui/button.tsx'
import { CommentForm, CommentList } from '../../ui/entries/comments.tsx'
import { ErrorBoundary } from '../../ui/loading/error-boundary.tsx'
import { ExplainTree, listReasons } from '../../ui/explain-tree.tsx'
import { FieldList, copyText } from '../../ui/field-list.tsx'
import {
  ChevronDown, ChevronUp, CircleCheck, CircleX, Copy, Eye, FilterX, IncidentsIcon, TimelineIcon, UserCheck, X,
} from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { getSeverity, StatusPill } from './alert-columns.tsx'
import styles from './alert-panel.module.css'
import { getExplanation, useAlert, useAlertContext } from './alert-queries.ts'
import { changeAlerts } from './alert-store.ts'
import { Entities } from './entities.tsx'
import { ExceptionDialog } from './exception-dialog.tsx'
import { RuleSection, SimilarSection, SurroundingsSection } from './panel-sections.tsx'
import type { TriageAction } from './triage.ts'
import { WhySentence } from './why-sentence.tsx'

type AlertPanelProps = {
  /** The row of the list, which is known before the details are. */
  readonly row: AlertBody | undefined
  readonly id: string
  readonly position: number
  readonly total: number
  readonly mayChange: boolean
  readonly onAct: (action: TriageAction) => void
  readonly onAssign: () => void
  readonly onNewIncident: () => void
  readonly onMove: (step: -1 | 1) => void
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

/** Everything about one alert, beside the list: why it came, who is concerned, what happened around it, what was decided. */
export function AlertPanel(props: AlertPanelProps): ReactNode {
  const { row, id, position, total, mayChange, onAct, onAssign, onNewIncident, onMove, onOpen, onClose } = props
  const { data, error, refetch } = useAlert(id)
  const comment = useRef<HTMLTextAreaElement>(null)
  const copyLink = (): void => void copyText(`${location.origin}/alerts/${encodeURIComponent(id)}`)
  const mayExcept = useMay('suppress_briefly')
  const [isExcepting, setIsExcepting] = useState(false)
  const except = mayExcept && data !== undefined && data.alert.correlation === null ? () => setIsExcepting(true) : undefined
  useKeys([
    ...(except === undefined ? [] : [{ keys: 'e', label: t('alerts.exception.title'), run: except }]),
    { keys: 'm', label: t('alerts.keys.copyLink'), run: copyLink },
    ...(mayChange ? [{ keys: 'c', label: t('alerts.keys.comment'), run: () => comment.current?.focus() }] : []),
  ])
  const shown = row ?? data?.alert
  const sendComment = async (notes: string): Promise<boolean> => {
    if (data !== undefined) await changeAlerts([data.alert], { notes }, '')
    return data !== undefined
  }
  return (
    <SidePanel
      label={shown?.rule_title ?? t('alerts.title')}
      head={
        <>
          <div className={styles['line']}>
            {shown !== undefined && <SeverityLabel severity={getSeverity(shown)} />}
            {shown !== undefined && <StatusPill status={shown.status} />}
            <span className={styles['position']}>{position > 0 && t('panel.position', { position, total })}</span>
            <IconButton icon={ChevronUp} label={t('alerts.previous')} onClick={() => onMove(-1)} />
            <IconButton icon={ChevronDown} label={t('alerts.next')} onClick={() => onMove(1)} />
            <IconButton icon={Copy} label={t('alerts.copyLink')} onClick={copyLink} />
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          {shown !== undefined && (
            <Head {...{ alert: shown, mayChange, onAct, onAssign, onNewIncident, onExcept: except }} />
          )}
        </>
      }
      foot={
        <>
          <span>
            <Kbd keys="j" /> <Kbd keys="k" /> {t('alerts.foot.move')}
          </span>
          {mayChange && (
            <span>
              <Kbd keys="c" /> {t('alerts.foot.comment')}
            </span>
          )}
          {except !== undefined && (
            <span>
              <Kbd keys="e" /> {t('alerts.foot.exception')}
            </span>
          )}
          <span>
            <Kbd keys="m" /> {t('alerts.foot.link')}
          </span>
          <span className={styles['end']}>
            <Kbd keys="Escape" /> {t('alerts.foot.close')}
          </span>
        </>
      }
    >
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <ErrorBoundary key={id}>
          <Details alert={data.alert} onOpen={onOpen} />
          <PanelSection title={t('alerts.section.comments')}>
            <CommentList comments={data.alert.comments} />
            {mayChange && <CommentForm ref={comment} onSend={sendComment} />}
          </PanelSection>
          {isExcepting && <Excepting alert={data.alert} onClose={() => setIsExcepting(false)} />}
        </ErrorBoundary>
      )}
    </SidePanel>
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
  const { rule_title: title, event, event_count: count, assignee, verdict, status, incident_id: incident } = alert
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
        {incident !== null && (
          <Link to="/incidents" search={{ incident }}>
            {t('alerts.incident.of')}
          </Link>
        )}
      </p>
      {mayChange && (
        <div className={styles['actions']}>
          <Button kind="primary" icon={Eye} keys="i" disabled={status === 'investigating'} onClick={() => onAct('investigate')}>
            {t('alerts.action.investigate')}
          </Button>
          <Button icon={CircleCheck} keys="r" disabled={status === 'resolved'} onClick={() => onAct('resolve')}>
            {t('alerts.action.resolve')}
          </Button>
          <Button icon={CircleX} keys="f" disabled={status === 'false_positive'} onClick={() => onAct('falsePositive')}>
            {t('alerts.action.falsePositive')}
          </Button>
          <Button kind="ghost" icon={UserCheck} keys="a" onClick={() => onAct('assignToMe')}>
            {t('alerts.action.assignToMe')}
          </Button>
          <Button kind="ghost" keys="Shift+a" onClick={onAssign}>
            {t('alerts.assign')}
          </Button>
          {incident === null && (
            <Button kind="ghost" icon={IncidentsIcon} keys="n" onClick={onNewIncident}>
              {t('alerts.incident.new')}
            </Button>
          )}
          <PlaybookMenu subject="alert" id={alert.id} />
          {onExcept !== undefined && (
            <Button kind="ghost" icon={FilterX} keys="e" onClick={onExcept}>
              {t('alerts.exception.new')}
            </Button>
          )}
        </div>
      )}
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

function Details({ alert, onOpen }: { readonly alert: AlertDetailBody; readonly onOpen: (id: string) => void }): ReactNode {
  const { data, error, isError, refetch } = useAlertContext(alert.id)
  const explanation = useMemo(() => (data === undefined ? null : getExplanation(data)), [data])
  const [first] = alert.evidence
  const reasons = useMemo(() => (explanation === null ? [] : listReasons(explanation)), [explanation])
  const marked = useMemo(() => new Map(reasons.map(({ field, pattern }) => [field ?? '', pattern])), [reasons])
  const problem = data === undefined || explanation !== null ? undefined : (data.explain?.problem ?? t('alerts.why.noMatch'))
  return (
    <>
      <PanelSection title={t('alerts.section.why')}>
        <WhySentence alert={alert} reasons={reasons} problem={problem} />
        {data?.explain?.rule_as_it_was === false && explanation !== null && <p className={styles['note']}>{t('alerts.why.byNow')}</p>}
        {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      </PanelSection>
      <PanelSection title={t('alerts.section.entities')}>
        <Entities alert={alert} known={data?.entities} />
      </PanelSection>
      {explanation !== null && (
        <PanelSection title={t('alerts.section.conditions')}>
          <ExplainTree node={explanation} />
        </PanelSection>
      )}
      {alert.evidence.map(({ match_id: match, event, event_id: stored, timestamp }, index) => (
        <PanelSection
          key={match}
          title={
            alert.evidence.length === 1
              ? t('alerts.section.event')
              : t('alerts.section.eventOf', { number: printNumber(index + 1), time: printTime(timestamp) })
          }
        >
          {event === null
            ? <p className={styles['note']}>{t('alerts.eventTooLarge')}</p>
            : <FieldList event={event} marked={marked} actions={(field, value) => <ValueLink {...{ field, value, timestamp }} />} />}
          {stored !== null && (
            <Link to="/search" search={{ event: stored, ...toRange(timestamp) }}>{t('alerts.event.open')}</Link>
          )}
        </PanelSection>
      ))}
      {typeof first?.event_id === 'string' && <SurroundingsSection eventId={first.event_id} />}
      <SimilarSection similar={data?.similar} onOpen={onOpen} />
      {data?.rule !== undefined && <RuleSection rule={data.rule} />}
    </>
  )
}

const halfDayMs = 43_200_000

/** A day around an instant, as the timeline's address states it. */
function toRange(at: string): { readonly from: string; readonly to: string } {
  return { from: toIso(Date.parse(at) - halfDayMs), to: toIso(Date.parse(at) + halfDayMs) }
}

/** Leads from a value of an event to the events of that day that have it too. */
function ValueLink({ field, value, timestamp }: {
  readonly field: string
  readonly value: unknown
  readonly timestamp: string
}): ReactNode {
  // A list and an object are no single value to compare with.
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  const label = t('alerts.event.pivot', { field, value: printValue(value).slice(0, 60) })
  const search = { q: printValueQuery(field, value), ...toRange(timestamp) }
  return (
    <Link to="/search" search={search} className={styles['pivot']} aria-label={label} title={label}>
      <TimelineIcon size={14} aria-hidden />
    </Link>
  )
}
