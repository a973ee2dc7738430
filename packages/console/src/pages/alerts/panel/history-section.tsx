import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { AlertContextBody } from '@tripline/contract/console/alerts/alert-context'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { MessageKey } from '../../../i18n/message.ts'
import { t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { useAlertHistory } from '../alert-queries.ts'
import styles from './panel-sections.module.css'

type Change = NonNullable<AlertContextBody['history']>[number]['changes'][number]

/** What was decided about an alert, by whom and when: read once it is unfolded. */
export function HistorySection({ alert, isOpen }: { readonly alert: AlertDetailBody; readonly isOpen: boolean }): ReactNode {
  const [isUnfolded, setIsUnfolded] = useState(isOpen)
  return (
    <details className={styles['history']} open={isOpen} onToggle={({ currentTarget }) => setIsUnfolded(currentTarget.open)}>
      <summary>{t('alerts.history')}</summary>
      {isUnfolded && <Entries alert={alert} />}
    </details>
  )
}

function Entries({ alert: { id, created_at: created } }: { readonly alert: AlertDetailBody }): ReactNode {
  const { data = [], error, isError, refetch } = useAlertHistory(id)
  return (
    <>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <ol className={styles['entries']}>
        <li>
          <time dateTime={created}>{printTime(created)}</time> {t('alerts.history.created')}
        </li>
        {data.map(({ at, actor, action, changes }, index) => (
          <li key={index}>
            <time dateTime={at}>{printTime(at)}</time> {toVisibleText(actor)}
            {action === 'restored' ? ` · ${t('alerts.history.restored')}` : changes.map((change) => ` · ${printChange(change)}`).join('')}
          </li>
        ))}
      </ol>
    </>
  )
}

function printChange({ name, from, to }: Change): string {
  if (name === 'comment') return t('alerts.history.commented')
  const field = t(`alerts.filter.${name}`)
  const after = printState(name, to)
  return from === null && name !== 'assignee' ? `${field}: ${after}` : `${field}: ${printState(name, from)} → ${after}`
}

function printState(name: 'status' | 'verdict' | 'assignee', value: string | null): string {
  if (value === null) return t('alerts.unassigned')
  return name === 'assignee' ? toVisibleText(value) : t(`alerts.${name}.${value}` as MessageKey)
}
