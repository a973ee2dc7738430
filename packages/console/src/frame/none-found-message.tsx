import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { X } from '../ui/icons.tsx'
import { StateMessage } from '../ui/state-message.tsx'
import styles from './none-found.module.css'

export type NoneFoundProps = {
  /** Says that there is nothing, where the address selects nothing. */
  readonly none: string
  /** Says that nothing matches the selection. */
  readonly filtered: string
  /** What the address states of the selection, by parameter; undefined for what it does not. */
  readonly filters: { readonly [name: string]: unknown }
  /** The name of a parameter as the page has it: each can then be removed alone. */
  readonly nameFilter?: (parameter: string) => string
  readonly onRemove: (removed: { readonly [name: string]: undefined }) => void
  /** What to do where there is nothing: what brings the first row. */
  readonly children?: ReactNode
}

/** A list without rows: filters make it so, and can be removed at once, or nothing is there yet, with what brings it. */
export function NoneFoundMessage({ none, filtered, filters, nameFilter, onRemove, children }: NoneFoundProps): ReactNode {
  const stated = Object.keys(filters).filter((name) => filters[name] !== undefined)
  if (stated.length === 0) return <StateMessage title={none}>{children}</StateMessage>
  return (
    <StateMessage title={filtered}>
      <div className={styles['filters']}>
        {nameFilter !== undefined && stated.map((name) => (
          <Button key={name} icon={X} onClick={() => onRemove({ [name]: undefined })}>
            {t('filters.remove', { name: nameFilter(name) })}
          </Button>
        ))}
        {(nameFilter === undefined || stated.length > 1) && (
          <Button icon={X} onClick={() => onRemove(Object.fromEntries(stated.map((name) => [name, undefined])))}>
            {t('filters.removeAll')}
          </Button>
        )}
      </div>
    </StateMessage>
  )
}
