import type { ReactNode } from 'react'
import styles from './check-box.module.css'

/** A labelled box to tick. */
export function CheckBox({ label, name, isOn, onChange }: {
  readonly label: string
  readonly name?: string
  readonly isOn: boolean
  readonly onChange?: (isOn: boolean) => void
}): ReactNode {
  const bound = onChange === undefined
    ? { defaultChecked: isOn }
    : { checked: isOn, onChange: (event: { readonly target: { readonly checked: boolean } }) => onChange(event.target.checked) }
  return (
    <label className={styles['check']}>
      <input type="checkbox" name={name} {...bound} />
      {label}
    </label>
  )
}
