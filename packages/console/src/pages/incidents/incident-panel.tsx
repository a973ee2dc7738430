import { Link } from '@tanstack/react-router'
import type { IncidentBody, IncidentDetailBody } from '@tripline/contract/console/incident'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useUser } from '../../api/use-user.ts'
import { EntryBar, EntryFoot, EntryParts, EntryTabs, EntryView } from '../../frame/entry/entry-view.tsx'
import type { EntryPart } from '../../frame/entry/entry-view.tsx'
import { PlaybookMenu } from '../../frame/playbooks/playbook-menu.tsx'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { useKeys } from '../../lib/keys.ts'
import { useStore } from '../../lib/use-store.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { CommentForm, CommentList } from '../../ui/entries/comments.tsx'
import { ErrorBoundary } from '../../ui/loading/error-boundary.tsx'
import { Select } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { PanelSection } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { getIncidentSeverity, IncidentStatusPill } from './incident-columns.tsx'
import styles from './incident-panel.module.css'
import { useIncident, usePeople } from './incident-queries.ts'
import { changedIncidents, changeIncident, commentIncident } from './incident-store.ts'
import { ActionSection, AlertSection, AssetSection, EntitySection, TimeFacts } from './incident-sections.tsx'
import { incidentStatuses, incidentTabs } from './incident-url.ts'
import type { IncidentTab } from './incident-url.ts'
import { Timeline } from './timeline.tsx'

type IncidentPanelProps = {
  readonly id: string
  /** The row of the list, which is known before the details are. */
  readonly row: IncidentBody | undefined
  /** Whether it is a page of its own, in place of the list. */
  readonly isPage: boolean
  readonly tab: IncidentTab | undefined
  readonly position: number
  readonly total: number
  readonly mayChange: boolean
  readonly onTab: (tab: IncidentTab | undefined) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onOpenPage: () => void
  readonly onClose: () => void
}

/** Everything about one incident, beside the list or as a page: who and what is concerned, what happened, what was decided. */
export function IncidentPanel(props: IncidentPanelProps): ReactNode {
  const { id, row, isPage, tab, position, total, mayChange, onTab, onMove, onOpenPage, onClose } = props
  const { data, error, refetch } = useIncident(id)
  const changed = useStore(changedIncidents).get(id)
  const shown = changed ?? row ?? data?.incident
  const comment = useRef<HTMLTextAreaElement>(null)
  const [isCommenting, setIsCommenting] = useState(false)
  const isChangeable = mayChange && shown?.merged_into === null
  const beginComment = (): void => {
    if (tab !== undefined && tab !== 'comments') onTab('comments')
    setIsCommenting(true)
  }
  // The field may stand in a tab that is shown first.
  useEffect(() => {
    if (!isCommenting || comment.current === null) return
    comment.current.focus()
    setIsCommenting(false)
  }, [isCommenting, tab, data])
  useKeys(mayChange ? [{ keys: 'c', label: t('incidents.keys.comment'), run: beginComment }] : [])
  return (
    <EntryView
      isPage={isPage}
      label={shown?.title ?? t('incidents.title')}
      head={
        <>
          <EntryBar {...{ isPage, path: `/incidents/${encodeURIComponent(id)}`, position, total, onMove, onOpenPage, onClose }}>
            {shown !== undefined && <SeverityLabel severity={getIncidentSeverity(shown)} />}
            {shown !== undefined && <IncidentStatusPill status={shown.status} />}
          </EntryBar>
          <h2 className={styles['title']}>{toVisibleText(shown?.title ?? '')}</h2>
          {shown !== undefined && isChangeable && <Decisions incident={shown} />}
          {isChangeable && <PlaybookMenu subject="incident" id={id} />}
        </>
      }
      tabs={<EntryTabs tabs={incidentTabs} current={tab} printTab={(one) => t(`incidents.tab.${one}`)} onChoose={onTab} />}
      foot={<EntryFoot isPage={isPage} keys={isChangeable ? [['c', t('entry.foot.comment')]] : []} />}
    >
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <ErrorBoundary key={id}>
          <Details incident={data.incident} isPage={isPage} tab={tab}>
            <PanelSection title={t('incidents.section.comments')}>
              <CommentList comments={data.incident.comments} />
              {isChangeable && <CommentForm ref={comment} onSend={(text) => commentIncident(id, text)} />}
            </PanelSection>
          </Details>
        </ErrorBoundary>
      )}
    </EntryView>
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

type DetailsProps = {
  readonly incident: IncidentDetailBody
  readonly isPage: boolean
  readonly tab: IncidentTab | undefined
  /** What follows what is known: comments. */
  readonly children: ReactNode
}

function Details({ incident, isPage, tab, children }: DetailsProps): ReactNode {
  const { ai_summary: summary, description, resolution_note: note, merged_into: target } = incident
  const parts: readonly EntryPart<IncidentTab>[] = [
    {
      id: 'summary',
      content: (
        <PanelSection title={t('incidents.section.summary')}>
          <p className={styles['text']}>{toVisibleText(printInstants(summary))}</p>
          <TimeFacts incident={incident} />
          {description !== '' && <p className={styles['text']}>{toVisibleText(description)}</p>}
          {target !== null && (
            <Link to="/incidents" search={{ incident: target }}>
              {t('incidents.mergedInto')}
            </Link>
          )}
        </PanelSection>
      ),
    },
    {
      id: 'resolution',
      content: note !== '' && (
        <PanelSection title={t('incidents.section.resolution')}>
          <p className={styles['text']}>{toVisibleText(note)}</p>
        </PanelSection>
      ),
    },
    { id: 'entities', isAside: true, content: <EntitySection incident={incident} /> },
    { id: 'alerts', tab: 'alerts', content: <AlertSection incident={incident} /> },
    { id: 'assets', tab: 'assets', isAside: true, content: <AssetSection incident={incident} isWhole={tab === 'assets'} /> },
    { id: 'actions', tab: 'actions', isAside: true, content: <ActionSection incident={incident} isWhole={tab === 'actions'} /> },
    {
      id: 'timeline',
      tab: 'timeline',
      content: (
        <>
          {/* What happened stands before what was recorded, where it does not stand above already. */}
          {tab === 'timeline' && <AlertSection incident={incident} />}
          <PanelSection title={t('incidents.section.timeline')}>
            <Timeline incidentId={incident.id} latest={incident.timeline} />
          </PanelSection>
        </>
      ),
    },
    { id: 'comments', tab: 'comments', isAside: true, content: children },
  ]
  return <EntryParts isPage={isPage} tab={tab} parts={parts} />
}

/** The instants of a sentence of the server in the time zone of the reader. */
function printInstants(sentence: string): string {
  return sentence.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (instant) => printTime(instant))
}
