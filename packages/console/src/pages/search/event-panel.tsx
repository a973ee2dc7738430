import { Link } from '@tanstack/react-router'
import type { EventDetailBody } from '@tripline/contract/console/event'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { printEventLine } from '../../lib/event-line.ts'
import { printTime } from '../../lib/format-time.ts'
import { useKeys } from '../../lib/keys.ts'
import { printTextQuery } from '../../lib/text-query.ts'
import { toIso } from '../../lib/time-range.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { FieldList } from '../../ui/field-list.tsx'
import { ChevronDown, ChevronUp, Copy, Monitor, Table2, User, X } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { LongValue } from '../../ui/long-value.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { EventAlerts } from './event-alerts.tsx'
import { findEntity } from './event-fields.ts'
import styles from './event-panel.module.css'
import { NarrowButtons } from './narrow-buttons.tsx'
import type { ValueOfEvent } from './narrow-buttons.tsx'
import { useEvent } from './search-queries.ts'
import { findQueryTexts } from './query/query-texts.ts'
import type { QueryText } from './query/query-texts.ts'
import { Surroundings } from './surroundings.tsx'

type EventPanelProps = {
  readonly id: string
  readonly onClose: () => void
  readonly onMove: (step: 1 | -1) => void
  readonly onOpen: (id: string) => void
  /** Narrows the query to events with or without a value. */
  readonly onNarrow: (value: ValueOfEvent, isExcluded: boolean) => void
  /** Searches for a host or a user in place of the query. */
  readonly onPivot: (entity: ValueOfEvent) => void
  /** The fields that are columns of the list, and what adds or removes one. */
  readonly columns?: readonly string[]
  readonly onColumn?: (field: string) => void
  /** What the query looks for: fields that hold it come first. */
  readonly sought?: readonly QueryText[]
}

const nothing: readonly QueryText[] = []

/** Everything about one event, beside the list: its fields, its raw text, and what happened around it. */
export function EventPanel(
  { id, onClose, onMove, onOpen, onNarrow, onPivot, columns = [], onColumn, sought = nothing }: EventPanelProps,
): ReactNode {
  const { data, error, isError, refetch } = useEvent(id)
  const copyLink = (): void => void copyText(location.href)
  useKeys([{ keys: 'm', label: t('search.keys.copyLink'), run: copyLink }])
  return (
    <SidePanel
      label={t('search.event')}
      head={
        <>
          <div className={styles['line']}>
            <span className={styles['time']}>{data !== undefined && printTime(data.timestamp)}</span>
            <IconButton icon={ChevronUp} label={t('search.keys.previous')} onClick={() => onMove(-1)} />
            <IconButton icon={ChevronDown} label={t('search.keys.next')} onClick={() => onMove(1)} />
            <IconButton icon={Copy} label={t('search.keys.copyLink')} onClick={copyLink} />
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          {data !== undefined && <Head event={data} onPivot={onPivot} />}
        </>
      }
    >
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && !isError && <Skeleton />}
      {data !== undefined && (
        <>
          <EventAlerts id={id} />
          <PanelSection title={t('search.section.fields')}>
            <FieldList
              event={data.fields}
              marked={findQueryTexts(data.fields, sought)}
              actions={(field, value) => (
                <>
                  <NarrowButtons {...{ field, value, onNarrow }} />
                  {onColumn !== undefined && !field.includes(',') && (
                    <IconButton
                      icon={Table2}
                      label={t(columns.includes(field) ? 'search.column.remove' : 'search.column.add', { field })}
                      isPressed={columns.includes(field)}
                      onClick={() => onColumn(field)}
                    />
                  )}
                </>
              )}
            />
          </PanelSection>
          <Surroundings id={id} onOpen={onOpen} />
          <PanelSection title={t('search.section.origin')}>
            <dl className={styles['facts']}>
              <Fact name={t('search.fact.received')} value={data.received_at === null ? '' : printTime(data.received_at)} />
              <Fact name={t('search.fact.connector')} value={data.connector_name ?? data.connector_id ?? ''} />
              <Fact name={t('search.fact.logsources')} value={data.logsources.map(printLogsource).join(', ')} />
              <Fact name={t('search.fact.id')} value={data.id} />
            </dl>
          </PanelSection>
          <PanelSection title={t('search.section.raw')}>
            <pre className={styles['raw']} tabIndex={0}>
              <LongValue value={data.raw} />
            </pre>
          </PanelSection>
        </>
      )}
    </SidePanel>
  )
}

function Head({ event, onPivot }: { readonly event: EventDetailBody } & Pick<EventPanelProps, 'onPivot'>): ReactNode {
  const host = findEntity(event.fields, 'host')
  const user = findEntity(event.fields, 'user')
  const { source_ip: address, timestamp } = event
  return (
    <>
      <h2 className={styles['title']}>{toVisibleText(printEventLine(event).slice(0, 400))}</h2>
      <div className={styles['actions']}>
        {host !== undefined && (
          <Button icon={Monitor} onClick={() => onPivot({ field: 'host', value: host })}>
            {t('search.pivot', { name: toVisibleText(host) })}
          </Button>
        )}
        {user !== undefined && (
          <Button icon={User} onClick={() => onPivot({ field: 'user', value: user })}>
            {t('search.pivot', { name: toVisibleText(user) })}
          </Button>
        )}
        {address !== '' && (
          <Link to="/search" search={{ q: printTextQuery(address), ...toDay(timestamp) }}>
            {t('search.pivot', { name: toVisibleText(address) })}
          </Link>
        )}
        {host !== undefined && (
          <Link to="/alerts" search={{ host, from: '-30d' }}>
            {t('search.alerts')}
          </Link>
        )}
      </div>
    </>
  )
}

const halfDayMs = 43_200_000

/** A day around an instant, as the address states it. */
function toDay(at: string): { readonly from: string; readonly to: string } {
  return { from: toIso(Date.parse(at) - halfDayMs), to: toIso(Date.parse(at) + halfDayMs) }
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  if (value === '') return null
  return (
    <div className={styles['fact']}>
      <dt>{name}</dt>
      <dd>{toVisibleText(value)}</dd>
    </div>
  )
}

function printLogsource({ product, category, service }: EventDetailBody['logsources'][number]): string {
  return [product, category, service].filter((part) => part !== '').join(' · ')
}
