import { Link } from '@tanstack/react-router'
import type { IncidentBody, IncidentDetailBody } from '@tripline/contract/console/incident'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useUser } from '../../api/use-user.ts'
import { PlaybookMenu } from '../../frame/playbooks/playbook-menu.tsx'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { useKeys } from '../../lib/keys.ts'
import { useStore } from '../../lib/use-store.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel, printLevel } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { AgeCell } from '../../ui/entries/cell.tsx'
import { CommentForm, CommentList } from '../../ui/entries/comments.tsx'
import { ErrorBoundary } from '../../ui/loading/error-boundary.tsx'
import { copyText } from '../../ui/field-list.tsx'
import { Select } from '../../ui/field.tsx'
import { Copy, X } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { getIncidentSeverity, IncidentStatusPill } from './incident-columns.tsx'
import styles from './incident-panel.module.css'
import { useIncident, usePeople } from './incident-queries.ts'
import { changedIncidents, changeIncident, commentIncident } from './incident-store.ts'
import { incidentStatuses } from './incident-url.ts'
import { Timeline } from './timeline.tsx'

type IncidentPanelProps = {
  readonly id: string
  /** The row of the list, which is known before the details are. */
  readonly row: IncidentBody | undefined
  readonly mayChange: boolean
  readonly onClose: () => void
}

/** Alerts about an entity may be older than the range that the Alerts page begins with. */
const entityRange = '-30d'

/** Everything about one incident, beside the list: who and what is concerned, what happened, what was decided. */
export function IncidentPanel({ id, row, mayChange, onClose }: IncidentPanelProps): ReactNode {
  const { data, error, refetch } = useIncident(id)
  const changed = useStore(changedIncidents).get(id)
  const shown = changed ?? row ?? data?.incident
  const comment = useRef<HTMLTextAreaElement>(null)
  const copyLink = (): void => void copyText(`${location.origin}/incidents/${encodeURIComponent(id)}`)
  useKeys([
    { keys: 'm', label: t('incidents.keys.copyLink'), run: copyLink },
    ...(mayChange ? [{ keys: 'c', label: t('incidents.keys.comment'), run: () => comment.current?.focus() }] : []),
  ])
  const isChangeable = mayChange && shown?.merged_into === null
  return (
    <SidePanel
      label={shown?.title ?? t('incidents.title')}
      head={
        <>
          <div className={styles['line']}>
            {shown !== undefined && <SeverityLabel severity={getIncidentSeverity(shown)} />}
            {shown !== undefined && <IncidentStatusPill status={shown.status} />}
            <span className={styles['space']} />
            <IconButton icon={Copy} label={t('incidents.keys.copyLink')} onClick={copyLink} />
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          <h2 className={styles['title']}>{toVisibleText(shown?.title ?? '')}</h2>
          {shown !== undefined && isChangeable && <Decisions incident={shown} />}
          {isChangeable && <PlaybookMenu subject="incident" id={id} />}
        </>
      }
    >
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <ErrorBoundary key={id}>
          <Details incident={data.incident} />
          <PanelSection title={t('incidents.section.comments')}>
            <CommentList comments={data.incident.comments} />
            {isChangeable && <CommentForm ref={comment} onSend={(text) => commentIncident(id, text)} />}
          </PanelSection>
        </ErrorBoundary>
      )}
    </SidePanel>
  )
}

/** Status and assignee, which change at once; closing asks for a note. */
function Decisions({ incident }: { readonly incident: IncidentBody }): ReactNode {
  const { status, assignee } = incident
  const { email } = useUser()
  const { data: people = [] } = usePeople()
  const [isClosing, setIsClosing] = useState(false)
  const setStatus = (next: IncidentBody['status']): void => {
    if (next === status) return
    if (next === 'closed') setIsClosing(true)
    else void changeIncident(incident, { status: next }, t('incidents.done.status', { status: t(`incidents.status.${next}`) }))
  }
  const assign = (next: string): void => {
    const person = next === '' ? null : next
    const message = person === null ? t('incidents.done.unassigned') : t('incidents.done.assigned', { person })
    if (person !== assignee) void changeIncident(incident, { assignee: person }, message)
  }
  useKeys([
    { keys: 'i', label: t('incidents.keys.investigate'), run: () => setStatus('investigating') },
    { keys: 'r', label: t('incidents.keys.closeIncident'), run: () => setStatus('closed') },
    { keys: 'a', label: t('incidents.keys.assignToMe'), run: () => assign(email) },
  ])
  // The assignee may have left the tenant since.
  const emails = [...new Set([...(assignee === null ? [] : [assignee]), email, ...people.map((person) => person.email)])]
  return (
    <div className={styles['decisions']}>
      <Select
        label={t('incidents.column.status')}
        value={status}
        options={incidentStatuses.map((value) => ({ value, label: t(`incidents.status.${value}`) }))}
        onChange={setStatus}
      />
      <Select
        label={t('incidents.column.assignee')}
        value={assignee ?? ''}
        options={[{ value: '', label: t('incidents.unassigned') }, ...emails.map((value) => ({ value, label: toVisibleText(value) }))]}
        onChange={assign}
      />
      {isClosing && <CloseDialog incident={incident} onDone={() => setIsClosing(false)} />}
    </div>
  )
}

function Details({ incident }: { readonly incident: IncidentDetailBody }): ReactNode {
  const { ai_summary: summary, description, resolution_note: note, merged_into: target, entities } = incident
  const { related_alerts: alerts, alert_count: count, affected_assets: assets, response_actions: actions } = incident
  return (
    <>
      <PanelSection title={t('incidents.section.summary')}>
        <p className={styles['text']}>{toVisibleText(printInstants(summary))}</p>
        {description !== '' && <p className={styles['text']}>{toVisibleText(description)}</p>}
        {target !== null && (
          <Link to="/incidents" search={{ incident: target }}>
            {t('incidents.mergedInto')}
          </Link>
        )}
      </PanelSection>
      {note !== '' && (
        <PanelSection title={t('incidents.section.resolution')}>
          <p className={styles['text']}>{toVisibleText(note)}</p>
        </PanelSection>
      )}
      <PanelSection title={t('incidents.section.entities')}>
        <ul className={styles['rows']}>
          {entities.map(({ type, value, alert_count: alertCount }) => (
            <li key={`${type} ${value}`} className={styles['row']}>
              <span className={styles['note']}>{t(`incidents.entity.${type}`)}</span>
              <Link
                to="/alerts"
                search={{ ...(type === 'ip' ? { q: value } : { [type]: value }), from: entityRange }}
                className={styles['mono']}
              >
                {toVisibleText(value)}
              </Link>
              <span className={styles['note']}>{t('incidents.alerts', { count: alertCount })}</span>
            </li>
          ))}
        </ul>
        {entities.length === 0 && <p className={styles['note']}>{t('incidents.noEntities')}</p>}
      </PanelSection>
      <PanelSection title={t('incidents.section.alerts', { shown: printNumber(alerts.length), total: printNumber(count) })}>
        <ul className={styles['rows']}>
          {alerts.map(({ id, severity, severity_raw: raw, rule_title: rule, event, created_at: at }) => (
            <li key={id} className={styles['row']}>
              <SeverityLabel severity={raw ?? severity} />
              <Link to="/alerts/$id" params={{ id }} className={styles['grow']}>
                {toVisibleText(rule)}
              </Link>
              <span className={styles['mono']}>{toVisibleText(event.host === '' ? event.user : event.host)}</span>
              <AgeCell at={at} />
            </li>
          ))}
        </ul>
        {alerts.length === 0 && <p className={styles['note']}>{t('incidents.noAlerts')}</p>}
      </PanelSection>
      {assets.length > 0 && (
        <PanelSection title={t('incidents.section.assets')}>
          <ul className={styles['rows']}>
            {assets.map(({ id, hostname, criticality, risk_score: risk }) => (
              <li key={id} className={styles['row']}>
                <span className={styles['mono']}>{toVisibleText(hostname)}</span>
                <span className={styles['note']}>
                  {t('incidents.asset.criticality', { criticality: printLevel(criticality) })}
                  {/* A score of 0 was never computed. */}
                  {risk > 0 && ` · ${t('incidents.asset.risk', { risk: printNumber(risk) })}`}
                </span>
              </li>
            ))}
          </ul>
        </PanelSection>
      )}
      {actions.length > 0 && (
        <PanelSection title={t('incidents.section.actions')}>
          <ul className={styles['rows']}>
            {actions.map(({ id, type, status, requested_by: by, at, result }) => (
              <li key={id} className={styles['row']}>
                <span>{toVisibleText(`${type} · ${status}`)}</span>
                <span className={styles['grow']}>{toVisibleText(result)}</span>
                <span className={styles['note']}>{toVisibleText(by)}</span>
                <time className={styles['note']} dateTime={at}>
                  {printTime(at)}
                </time>
              </li>
            ))}
          </ul>
        </PanelSection>
      )}
      <PanelSection title={t('incidents.section.timeline')}>
        <Timeline incidentId={incident.id} latest={incident.timeline} />
      </PanelSection>
    </>
  )
}

/** The instants of a sentence of the server in the time zone of the reader. */
function printInstants(sentence: string): string {
  return sentence.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (instant) => printTime(instant))
}
