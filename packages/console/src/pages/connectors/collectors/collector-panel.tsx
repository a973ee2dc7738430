import type { CollectorDetailBody } from '@tripline/contract/console/collectors/collector'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { printBytes } from '../../../i18n/print-bytes.ts'
import { printNumber, t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { readForm } from '../../../lib/read-form.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/entries/facts.tsx'
import { Field } from '../../../ui/field.tsx'
import { Question } from '../../../ui/forms/question.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { X } from '../../../ui/icons.tsx'
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { ConnectorStatus } from '../connector-columns.tsx'
import { CollectorStatus } from './collector-columns.tsx'
import styles from './collector-panel.module.css'
import { renameCollector, retireCollector, useCollector } from './collector-queries.ts'

type CollectorPanelProps = { readonly id: string; readonly mayEdit: boolean; readonly onClose: () => void }

/** One agent beside the list: how it is, what it reads, and what waits on its disk. */
export function CollectorPanel({ id, mayEdit, onClose }: CollectorPanelProps): ReactNode {
  const { data, error, isError, refetch } = useCollector(id)
  const [isRetiring, setIsRetiring] = useState(false)
  const task = useTask()
  const collector = data?.collector
  const retire = async (): Promise<void> => {
    if (!(await task.run(() => retireCollector(id), t('collectors.retired')))) return
    setIsRetiring(false)
    onClose()
  }
  const mayChange = mayEdit && collector !== undefined && collector.status !== 'retired'
  return (
    <SidePanel
      label={collector?.name ?? t('collectors.title')}
      head={
        <>
          <div className={styles['line']}>
            {collector !== undefined && <CollectorStatus status={collector.status} />}
            <span className={styles['space']} />
            {mayChange && <Button kind="danger" onClick={() => setIsRetiring(true)}>{t('collectors.retire')}</Button>}
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          <h2 className={styles['title']}>{toVisibleText(collector?.name ?? '')}</h2>
        </>
      }
    >
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {collector !== undefined && (
        <>
          {mayChange && <NameForm key={collector.name} collector={collector} etag={data?.etag} />}
          <Details collector={collector} />
          {isRetiring && (
            <Question
              title={t('collectors.retire')}
              text={t('collectors.retire.text', { name: toVisibleText(collector.name) })}
              confirm={t('collectors.retire')}
              task={task}
              onConfirm={() => void retire()}
              onClose={() => setIsRetiring(false)}
            />
          )}
        </>
      )}
    </SidePanel>
  )
}

function NameForm({ collector: { id, name }, etag }: {
  readonly collector: CollectorDetailBody
  readonly etag: string | undefined
}): ReactNode {
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const next = readForm(event.currentTarget)('name').trim()
    void run(() => renameCollector(id, next, etag), t('collectors.renamed'))
  }
  return (
    <PanelSection title={t('connectors.column.name')}>
      <form className={styles['form']} onSubmit={save}>
        <Field label={t('connectors.column.name')} name="name" defaultValue={name} required />
        <Button type="submit" isBusy={isBusy}>{t('save')}</Button>
      </form>
      <Refusal text={problem} />
    </PanelSection>
  )
}

function Details({ collector }: { readonly collector: CollectorDetailBody }): ReactNode {
  const { health, sources, buffer } = collector
  const space = { used: printBytes(buffer.bytes), size: printBytes(buffer.capacity_bytes) }
  return (
    <>
      <PanelSection title={t('connectors.section.figures')}>
        {health.last_error !== null && <p className={styles['problem']}>{toVisibleText(health.last_error)}</p>}
        <Facts
          facts={[
            [t('collectors.column.hostname'), collector.hostname],
            [t('collectors.column.os'), [collector.os, collector.os_family].filter((part) => part !== '').join(' · ')],
            [t('collectors.column.version'), collector.version],
            [t('collectors.config'), health.config_version ?? ''],
            [t('collectors.column.seen'), collector.last_seen === null ? t('connectors.never') : printTime(collector.last_seen)],
            [t('collectors.uptime'), t('collectors.hours', { count: collector.uptime_hours })],
            [t('collectors.cpu'), health.cpu_percent === null ? '' : t('collectors.percent', { share: printNumber(health.cpu_percent) })],
            [t('collectors.memory'), health.memory_mb === null ? '' : printBytes(health.memory_mb * 1_000_000)],
            [t('collectors.skew'), health.clock_skew_ms === null ? '' : t('collectors.ms', { ms: printNumber(health.clock_skew_ms) })],
            [t('connectors.column.total'), printNumber(collector.events_ingested)],
          ]}
        />
      </PanelSection>
      <PanelSection title={t('collectors.section.sources')}>
        {sources.length === 0 && <p className={styles['text']}>{t('collectors.noSource')}</p>}
        <ul className={styles['sources']}>
          {sources.map(({ name, type, status, events_per_second: rate, last_event_at: at, last_error: problem }) => (
            <li key={name}>
              <ConnectorStatus status={status} /> <strong>{toVisibleText(name)}</strong> <code>{type}</code>{' '}
              {t('connectors.rate', { rate: printNumber(rate) })}
              {at !== null && <span className={styles['text']}> · {printTime(at)}</span>}
              {problem !== null && <p className={styles['problem']}>{toVisibleText(problem)}</p>}
            </li>
          ))}
        </ul>
      </PanelSection>
      <PanelSection title={t('collectors.section.buffer')}>
        <Facts
          facts={[
            [t('collectors.buffer.events'), printNumber(buffer.events)],
            [t('collectors.buffer.bytes'), t('collectors.buffer.of', space)],
            [t('collectors.buffer.oldest'), buffer.oldest_event_at === null ? '' : printTime(buffer.oldest_event_at)],
            [t('collectors.buffer.dropped'), printNumber(buffer.dropped_total)],
          ]}
        />
      </PanelSection>
    </>
  )
}
