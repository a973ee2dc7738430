import type { ReactNode } from 'react'
import { X } from '../icons.tsx'
import { Popover } from '../popover.tsx'
import styles from './filter-chip.module.css'

type FilterChipProps = {
  readonly name: string
  readonly value: string
  readonly editLabel: string
  readonly removeLabel: string
  readonly onRemove: () => void
  /** What chooses another value, given what closes it. */
  readonly children: (close: () => void) => ReactNode
}

/** A filter that is in effect: a click opens its editor, the button at its end removes it. */
export function FilterChip({ name, value, editLabel, removeLabel, onRemove, children }: FilterChipProps): ReactNode {
  return (
    <span className={styles['chip']} role="group" aria-label={name}>
      <Popover
        label={editLabel}
        button={(target) => (
          <button type="button" className={styles['edit']} title={editLabel} data-chip {...target}>
            <span className={styles['name']}>{name}</span>
            <span className={styles['value']}>{value}</span>
          </button>
        )}
      >
        {children}
      </Popover>
      <button type="button" className={styles['remove']} aria-label={removeLabel} onClick={onRemove}>
        <X size={12} aria-hidden />
      </button>
    </span>
  )
}
