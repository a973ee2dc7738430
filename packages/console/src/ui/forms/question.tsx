import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import styles from './question.module.css'
import { Refusal } from './refusal.tsx'
import type { Task } from './use-task.ts'

/** Asks before what cannot be taken back. What the server refused of it stands here, and nothing that it refused before. */
export function Question({ title, text, confirm, task: { problem, isBusy, clear }, onConfirm, onClose }: {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly task: Task
  readonly onConfirm: () => void
  readonly onClose: () => void
}): ReactNode {
  useEffect(clear, [clear])
  const close = (): void => {
    clear()
    onClose()
  }
  return (
    <Dialog title={title} onClose={close}>
      <div className={styles['body']}>
        <p>{text}</p>
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
