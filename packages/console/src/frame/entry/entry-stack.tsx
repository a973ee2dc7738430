import { useState } from 'react'
import type { ReactNode } from 'react'
import styles from './entry-stack.module.css'

/**
 * A list that an entry's page may cover. It stays as it is behind the page: its rows, its place and what is checked. Where the
 * address leads to the page at once, the list appears when it is wanted.
 */
export function EntryStack({ page, children }: { readonly page: ReactNode; readonly children: ReactNode }): ReactNode {
  const isCovered = page !== undefined
  const [wasShown, setWasShown] = useState(!isCovered)
  if (!isCovered && !wasShown) setWasShown(true)
  return (
    <div className={styles['stack']}>
      {(wasShown || !isCovered) && (
        <div className={styles['list']} inert={isCovered} data-covered={isCovered || undefined}>
          {children}
        </div>
      )}
      {page}
    </div>
  )
}
