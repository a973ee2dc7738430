import { useMutation } from '@tanstack/react-query'
import type { NewConnectorBody } from '@tripline/contract/console/sources/connector'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { CircleCheck, Clock, Copy } from '../../ui/icons.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './first-steps.module.css'

/** The host of the event that is sent. */
export const sampleHost = 'web-1'
/** An event that a rule of everybody's collection matches: a logon as root over SSH. */
const sampleEvent = `{"program":"sshd","hostname":"${sampleHost}","message":"Accepted password for root from 203.0.113.9 port 40071 ssh2"}`

type FirstStepsProps = {
  readonly title: string
  /** Whether an event arrived, of those that are waited for. */
  readonly hasEvents: boolean
  /** Whether they stand above the charts, and not in place of them. */
  readonly isBeside?: boolean
  /** What precedes the steps. */
  readonly children?: ReactNode
  /** Where to go once the event is there. */
  readonly next: ReactNode
}

/** The way to the first event: a connector, a command to send with, and the sight of its arrival. */
export function FirstSteps({ title, hasEvents, isBeside = false, children, next }: FirstStepsProps): ReactNode {
  const connector = useMutation({
    mutationFn: () => {
      const body = { name: t('dashboard.first.connectorName'), type: 'http_ndjson', config: {} }
      return callApi<NewConnectorBody>('/v1/connectors', { method: 'POST', body })
    },
  })
  const { ingest } = connector.data ?? {}
  const command = ingest === undefined ? undefined : printCommand(ingest)
  return (
    <section className={styles['steps']} data-beside={isBeside || undefined} aria-label={title}>
      <h2 className={styles['title']}>{title}</h2>
      {children}
      <ol className={styles['list']}>
        <Step isDone={ingest !== undefined} text={t('dashboard.first.connector')}>
          {ingest === undefined && (
            <Button kind="primary" isBusy={connector.isPending} onClick={() => connector.mutate()}>
              {t('dashboard.first.create')}
            </Button>
          )}
          {connector.isError && <ErrorMessage error={connector.error} />}
        </Step>
        <Step isDone={hasEvents} text={t(command === undefined && !hasEvents ? 'dashboard.first.later' : 'dashboard.first.send')}>
          {command !== undefined && (
            <div className={styles['command']}>
              <pre>
                <code>{command}</code>
              </pre>
              <Button icon={Copy} onClick={() => void copyText(command)}>
                {t('dashboard.first.copy')}
              </Button>
              <p className={styles['hint']}>{t('dashboard.first.once')}</p>
            </div>
          )}
        </Step>
        <Step isDone={hasEvents} text={hasEvents ? t('dashboard.first.arrived') : t('dashboard.first.waiting')}>
          {hasEvents && next}
        </Step>
      </ol>
    </section>
  )
}

function Step({ isDone, text, children }: { readonly isDone: boolean; readonly text: string; readonly children?: ReactNode }): ReactNode {
  const Icon = isDone ? CircleCheck : Clock
  return (
    <li className={styles['step']} data-done={isDone || undefined}>
      <Icon size={16} aria-hidden />
      <div className={styles['body']}>
        <p>{text}</p>
        {children}
      </div>
    </li>
  )
}

/** The server may state an address of its own, which a proxy hides from this page: the command goes where the page came from. */
function printCommand({ url, token }: { readonly url: string; readonly token: string }): string {
  const { pathname } = new URL(url, location.origin)
  return `curl ${location.origin}${pathname} -H 'authorization: Bearer ${token}' -d '${sampleEvent}'`
}
