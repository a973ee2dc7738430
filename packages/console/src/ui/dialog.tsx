import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'
import { X } from './icons.tsx'

type DialogProps = { readonly title: string; readonly onClose?: () => void; readonly children: ReactNode }

/** A modal dialog: the platform keeps the focus inside and makes the rest inert. Without `onClose` it cannot be dismissed. */
export function Dialog({ title, onClose, children }: DialogProps): ReactNode {
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    // The platform chooses the first control, which closes the dialog; people come to fill in what follows.
    dialog?.querySelector<HTMLElement>('input:not([type=checkbox], [type=radio], :disabled), textarea:not(:disabled)')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={styles['dialog']}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div className={styles['head']}>
        <h2 id={id} className={styles['title']}>
          {title}
        </h2>
        {onClose !== undefined && <IconButton icon={X} label={t('close')} onClick={onClose} />}
      </div>
      {children}
    </dialog>
  )
}
