import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { useKeys } from '../lib/keys.ts'
import { useStore } from '../lib/use-store.ts'
import { Button, IconButton } from './button.tsx'
import { X } from './icons.tsx'
import { toast, undoLast } from './toast-store.ts'
import styles from './toast.module.css'

/** The message at the bottom of the page; `u` takes back what it reports. */
export function ToastRegion(): ReactNode {
  const shown = useStore(toast)
  useKeys([{ keys: 'u', label: t('undo'), run: undoLast }])
  return (
    <div className={styles['region']}>
      <div role="status">{shown?.kind === 'notice' && <ToastBody text={shown.text} hasUndo={shown.undo !== undefined} />}</div>
      <div role="alert">{shown?.kind === 'error' && <ToastBody text={shown.text} hasUndo={shown.undo !== undefined} isError />}</div>
    </div>
  )
}

function ToastBody({
  text,
  hasUndo,
  isError = false,
}: {
  readonly text: string
  readonly hasUndo: boolean
  readonly isError?: boolean
}): ReactNode {
  return (
    <div className={styles['toast']} data-error={isError || undefined}>
      <span className={styles['text']}>{text}</span>
      {hasUndo && (
        <Button kind="ghost" keys="u" onClick={undoLast}>
          {t('undo')}
        </Button>
      )}
      <IconButton icon={X} label={t('close')} onClick={() => toast.set(undefined)} />
    </div>
  )
}
