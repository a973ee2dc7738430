import type { ReactNode } from 'react'
import styles from './choice.module.css'

/** A filter by one of a few values, in the room of its value: the first choice is none, and names what is filtered. */
export function Choice<Value extends string>({ label, any, value, options, onChange }: {
  readonly label: string
  /** The choice of none, such as `Any type`. */
  readonly any: string
  readonly value: Value | undefined
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value | undefined) => void
}): ReactNode {
  return (
    <select
      className={styles['choice']}
      aria-label={label}
      value={value ?? ''}
      data-chosen={value !== undefined || undefined}
      onChange={(event) => onChange(options.find((option) => option.value === event.target.value)?.value)}
    >
      <option value="">{any}</option>
      {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
    </select>
  )
}
