import type { MouseEvent, ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { useKeys } from '../lib/keys.ts'
import { useStore } from '../lib/use-store.ts'
import { Button, IconButton, Kbd } from './button.tsx'
import { X } from './icons.tsx'
import { takeOffer, toast, undoLast } from './toast-store.ts'
import type { Toast } from './toast-store.ts'
import styles from './toast.module.css'

/** The message at the bottom of the page; `u` takes back what it reports. */
export function ToastRegion(): ReactNode {
  const shown = useStore(toast)
  useKeys([
    { keys: 'u', label: t('undo'), run: undoLast },
    ...(shown?.offer === undefined ? [] : [{ keys: 'e', label: shown.offer.text, run: takeOffer }]),
  ])
  return (
    <div className={styles['region']}>
      <div role="status">{shown?.kind === 'notice' && <ToastBody shown={shown} />}</div>
      <div role="alert">{shown?.kind === 'error' && <ToastBody shown={shown} />}</div>
    </div>
  )
}

function ToastBody({ shown: { kind, text, undo, again, offer, link } }: { readonly shown: Toast }): ReactNode {
  const follow = (event: MouseEvent): void => {
    // A new tab or window is the browser's to open.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    toast.set(undefined)
    link?.follow()
  }
  return (
    <div className={styles['toast']} data-error={kind === 'error' || undefined}>
      <span className={styles['text']}>{text}</span>
      {link !== undefined && (
        <a className={styles['link']} href={link.href} onClick={follow}>
          {link.text}
        </a>
      )}
      {undo !== undefined && (
        <Button kind="ghost" keys="u" onClick={undoLast}>
          {t('undo')}
        </Button>
      )}
      {offer !== undefined && (
        <button type="button" className={styles['offer']} onClick={takeOffer}>
          {offer.text} <Kbd keys="e" />
        </button>
      )}
      {again !== undefined && (
        <Button
          kind="ghost"
          onClick={() => {
            toast.set(undefined)
            again()
          }}
        >
          {t('again')}
        </Button>
      )}
      <IconButton icon={X} label={t('close')} onClick={() => toast.set(undefined)} />
    </div>
  )
}
