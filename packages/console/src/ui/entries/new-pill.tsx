import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Kbd } from '../button.tsx'
import styles from './new-pill.module.css'

/** A screen reader is interrupted at most this often. */
const announceMs = 10_000

/** What came since the list was loaded: it waits until the user asks for it, so that nothing moves under the hand. */
export function NewPill({ count, onShow }: { readonly count: number; readonly onShow: () => void }): ReactNode {
  const [announced, setAnnounced] = useState(count)
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(count), announceMs)
    return () => clearTimeout(timer)
  }, [count])
  return (
    <div className={styles['box']}>
      <button type="button" className={styles['pill']} onClick={onShow}>
        {t('list.new', { count })} <Kbd keys="." />
      </button>
      <span className="hidden-visually" aria-live="polite">
        {t('list.new', { count: announced })}
      </span>
    </div>
  )
}
