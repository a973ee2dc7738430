import type { ReactNode } from 'react'
import { X } from '../icons.tsx'
import styles from './filter-chip.module.css'

type FilterChipProps = { readonly name: string; readonly value: string; readonly removeLabel: string; readonly onRemove: () => void }

/** A filter that is in effect, with a button that removes it. */
export function FilterChip({ name, value, removeLabel, onRemove }: FilterChipProps): ReactNode {
  return (
    <span className={styles['chip']}>
      <span className={styles['name']}>{name}</span>
      <span className={styles['value']}>{value}</span>
      <button type="button" className={styles['remove']} aria-label={removeLabel} onClick={onRemove}>
        <X size={12} aria-hidden />
      </button>
    </span>
  )
}
