import { useQuery } from '@tanstack/react-query'
import type { AlertBulkResultBody } from '@tripline/contract/console/alerts/alert-bulk'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import type { AlertChange } from './alert-store.ts'
import { previewBulk } from './bulk.ts'
import type { BulkTarget } from './bulk.ts'
import styles from './bulk-dialog.module.css'

/** Says what a change of many would do before it is sent. */
export function BulkDialog({
  title,
  target,
  set,
  onConfirm,
  onClose,
}: {
  readonly title: string
  readonly target: BulkTarget
  readonly set: AlertChange
  readonly onConfirm: () => void
  readonly onClose: () => void
}): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'bulk', target, set],
    queryFn: () => previewBulk(target, set),
    staleTime: 0,
    gcTime: 0,
  })
  const confirm = useRef<HTMLButtonElement>(null)
  // It can be pressed once the preview is there.
  useEffect(() => {
    if (data !== undefined) confirm.current?.focus()
  }, [data])
  return (
    <Dialog title={title} onClose={onClose}>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <p className={styles['text']} aria-live="polite">
        {data !== undefined && describe(data)}
      </p>
      <div className={styles['actions']}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="primary" disabled={data === undefined || data.changed === 0} onClick={onConfirm} ref={confirm}>
          {title}
        </Button>
      </div>
    </Dialog>
  )
}

/** "212 alerts of 3 rules; 203 change. 9 are not open and stay as they are." */
function describe({ matched, changed, unchanged, kept, rules }: AlertBulkResultBody): string {
  return [
    t('alerts.bulk.preview', { count: matched, rules: t('alerts.bulk.rules', { count: rules }), changed: printNumber(changed) }),
    ...(kept > 0 ? [t('alerts.bulk.kept', { count: kept })] : []),
    ...(unchanged > 0 ? [t('alerts.bulk.unchanged', { count: unchanged })] : []),
  ].join(' ')
}
