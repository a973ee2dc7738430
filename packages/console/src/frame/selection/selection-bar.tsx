import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import { X } from '../../ui/icons.tsx'
import styles from './selection-bar.module.css'

/** The bar over a list with checked rows: how many they are, and what can be done with them. */
export function SelectionBar({ count, children, onClear }: {
  readonly count: number
  readonly children: ReactNode
  readonly onClear: () => void
}): ReactNode {
  return (
    <div className={styles['selection']} role="toolbar" aria-label={t('table.selected', { count })}>
      <span className={styles['count']}>{t('table.selected', { count })}</span>
      {children}
      <IconButton icon={X} label={t('table.clear')} onClick={onClear} />
    </div>
  )
}
