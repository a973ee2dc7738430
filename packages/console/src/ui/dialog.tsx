import { useId, useLayoutEffect, useRef } from 'react'
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
  // Its end comes while the dialog is still in the page: the focus of one that is gone goes nowhere.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return undefined
    noteFocus(dialog)
    dialog.showModal()
    // The platform chooses the first control, which closes the dialog; people come to fill in what follows.
    dialog.querySelector<HTMLElement>('input:not([type=checkbox], [type=radio], :disabled), textarea:not(:disabled)')?.focus()
    return () => {
      dialog.close()
      returnFocus(dialog)
    }
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

/** How long a list takes at most to show that a row is gone, once the server has said so. */
const settleMs = 100

/** What had the focus when a dialog opened, and before that when the dialog that it was opened from did. */
const before = new WeakMap<Element, readonly HTMLElement[]>()

/** Remembers what has the focus now, before a dialog takes it. */
function noteFocus(dialog: HTMLDialogElement): void {
  const { activeElement: active } = document
  const outer = active?.closest('dialog')
  before.set(dialog, [
    ...(active instanceof HTMLElement ? [active] : []),
    ...(outer === null || outer === undefined ? [] : (before.get(outer) ?? [])),
  ])
}

/** Gives the focus back after a dialog: to what opened it, or to the page where that is gone, such as the row that it removed. */
function returnFocus(dialog: HTMLDialogElement): void {
  const places = [...(before.get(dialog) ?? []), document.querySelector('main')]
  // What lies under another dialog, was removed, or cannot be used now does not take it.
  const give = (): boolean => places.some((place) => {
    place?.focus({ preventScroll: true })
    return place === document.activeElement
  })
  give()
  // What took it may go a moment later, as the row of a list that is read again.
  if (places[0] !== document.body) setTimeout(() => document.activeElement === document.body && give(), settleMs)
}
