import type { ConnectorBody, ConnectorTestBody } from '@tripline/contract/console/sources/connector'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { printBytes } from '../../i18n/print-bytes.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printSpan, printTime } from '../../lib/format-time.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { useKeys } from '../../lib/keys.ts'
import { printValue, toVisibleText } from '../../lib/visible-text.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/entries/facts.tsx'
import { Trash2, X } from '../../ui/icons.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { CheckList } from './check-list.tsx'
import { ConnectorStatus, printType } from './connector-columns.tsx'
import styles from './connector-panel.module.css'
import { ConnectorSamples } from './connector-samples.tsx'
import { ConnectorTraffic } from './connector-traffic.tsx'
import { EditConnectorDialog } from './edit-connector-dialog.tsx'
import { HistoryBar } from './history-bar.tsx'
import { printSetting } from './print-setting.ts'
import { removeConnector, switchConnector, testConnector, useConnectorHealth } from './connector-queries.ts'

const historyShown = 20

type ConnectorPanelProps = {
  readonly connector: ConnectorBody
  readonly mayEdit: boolean
  /** The range of its figures. */
  readonly range: TimeRange
  readonly onRange: (range: TimeRange) => void
  /** Begins a new connector with the settings of this one. */
  readonly onCopy: () => void
  readonly onClose: () => void
}

/** One source of events beside the list: its checks, a test, its settings without secrets, and how its state changed. */
export function ConnectorPanel(props: ConnectorPanelProps): ReactNode {
  const { connector, mayEdit: mayEditConnectors, range, onRange, onCopy, onClose } = props
  const { id, name, type, status, enabled, stats, config, managed_by: managedBy } = connector
  const mayEdit = mayEditConnectors && managedBy === undefined
  const { data, error, isError, refetch } = useConnectorHealth(id)
  const [test, setTest] = useState<ConnectorTestBody>()
  const [isTesting, setIsTesting] = useState(false)
  const [isRemoving, setIsRemoving] = useState(false)
  const [isEditing, setIsEditing] = useState(false)
  const runTest = async (): Promise<void> => {
    setIsTesting(true)
    try {
      setTest(await testConnector(id))
    } catch (problem) {
      showToast({ kind: 'error', text: t('connectors.failed', { problem: getErrorText(problem) }) })
    }
    setIsTesting(false)
  }
  useKeys(mayEdit
    ? [
        { keys: 't', label: t('connectors.test'), run: () => void runTest() },
        { keys: 'd', label: t('connectors.switch'), run: () => void switchConnector(connector, !enabled) },
        { keys: 'e', label: t('connectors.edit'), run: () => setIsEditing(true) },
        { keys: 'c', label: t('connectors.clone'), run: onCopy },
      ]
    : [])
  return (
    <SidePanel
      label={name}
      head={
        <>
          <div className={styles['line']}>
            <ConnectorStatus status={status} />
            <span className={styles['space']} />
            {mayEdit && <Button keys="t" isBusy={isTesting} onClick={() => void runTest()}>{t('connectors.test')}</Button>}
            {mayEdit && (
              <Button keys="d" onClick={() => void switchConnector(connector, !enabled)}>
                {t(enabled ? 'connectors.disable' : 'connectors.enable')}
              </Button>
            )}
            {mayEdit && <Button keys="e" onClick={() => setIsEditing(true)}>{t('connectors.edit')}</Button>}
            {mayEdit && <Button keys="c" onClick={onCopy}>{t('connectors.clone')}</Button>}
            {mayEdit && <IconButton icon={Trash2} label={t('connectors.remove')} onClick={() => setIsRemoving(true)} />}
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          <h2 className={styles['title']}>{toVisibleText(name)}</h2>
        </>
      }
    >
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {test !== undefined && <TestResult test={test} />}
      <PanelSection title={t('connectors.section.checks')}>
        {data?.checks.length === 0 && <p className={styles['text']}>{t('connectors.noCheck')}</p>}
        <CheckList checks={data?.checks ?? []} />
      </PanelSection>
      <PanelSection title={t('connectors.section.figures')}>
        <Facts
          facts={[
            [t('connectors.column.type'), printType(type)],
            [t('connectors.column.rate'), t('connectors.rate', { rate: printNumber(stats.events_per_second) })],
            [t('connectors.column.total'), printNumber(stats.events_received_total)],
            [t('connectors.column.failed'), printNumber(stats.events_failed_total)],
            [t('connectors.bytes'), printBytes(stats.bytes_received_total)],
            [t('connectors.lag'), printLag(stats)],
            [t('connectors.delay'), printDelay(stats)],
            [t('connectors.column.last'), stats.last_event_at === null ? t('connectors.never') : printTime(stats.last_event_at)],
          ]}
        />
      </PanelSection>
      <ConnectorTraffic id={id} range={range} onRange={onRange} />
      <PanelSection title={t('connectors.section.settings')}>
        {managedBy === 'collector' && <p className={styles['text']}>{t('connectors.onCollector')}</p>}
        <Facts facts={Object.entries(config).map(([key, value]) => [printSetting(type, key), printValue(value)])} />
      </PanelSection>
      <ConnectorSamples id={id} />
      <PanelSection title={t('connectors.section.history')}>
        <HistoryBar history={data?.history ?? []} />
        <ol className={styles['history']}>
          {data?.history.slice(0, historyShown).map(({ timestamp: at, status: then }) => (
            <li key={at} className={styles['change']}>
              <time dateTime={at}>{printTime(at)}</time>
              <ConnectorStatus status={then} />
            </li>
          ))}
        </ol>
      </PanelSection>
      {isEditing && <EditConnectorDialog id={id} onClose={() => setIsEditing(false)} />}
      {isRemoving && <RemoveDialog connector={connector} onClose={() => setIsRemoving(false)} onRemoved={onClose} />}
    </SidePanel>
  )
}

/** When a source that is polled was last read to its end; nothing for one that sends. */
function printLag({ lag_seconds: seconds }: ConnectorBody['stats']): string {
  return seconds === null ? '' : t('connectors.lag.ago', { span: printSpan(seconds * 1_000) })
}

function printDelay({ delay_seconds: seconds }: ConnectorBody['stats']): string {
  return seconds === null ? t('connectors.delay.unknown') : printSpan(seconds * 1_000)
}

function TestResult({ test: { checks, sample, duration_ms: took } }: { readonly test: ConnectorTestBody }): ReactNode {
  return (
    <PanelSection title={t('connectors.section.test', { ms: took })}>
      <CheckList checks={checks} />
      {sample !== undefined && sample.length > 0 && (
        <pre className={styles['sample']} tabIndex={0}>{toVisibleText(JSON.stringify(sample, undefined, 2))}</pre>
      )}
    </PanelSection>
  )
}

type RemoveDialogProps = { readonly connector: ConnectorBody; readonly onClose: () => void; readonly onRemoved: () => void }

/** Deleting cannot be undone: senders lose their token. */
function RemoveDialog({ connector: { id, name }, onClose, onRemoved }: RemoveDialogProps): ReactNode {
  const [problem, setProblem] = useState<string>()
  const remove = async (): Promise<void> => {
    try {
      await removeConnector(id)
      onRemoved()
    } catch (error) {
      setProblem(getErrorText(error))
    }
  }
  return (
    <Dialog title={t('connectors.removeTitle', { name })} onClose={onClose}>
      <div className={styles['dialog']}>
        <p>{t('connectors.removeText')}</p>
        {problem !== undefined && <p className={styles['problem']} role="alert">{problem}</p>}
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="danger" onClick={() => void remove()}>{t('connectors.remove')}</Button>
        </div>
      </div>
    </Dialog>
  )
}
