import type { ReactNode } from 'react'
import styles from './check-box.module.css'

/** A labelled box to tick. */
export function CheckBox({ label, isLabelHidden = false, name, isOn, onChange }: {
  readonly label: string
  /** Whether only readers of the screen have the label: in a column that says the same of each row. */
  readonly isLabelHidden?: boolean
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
      <span className={isLabelHidden ? 'hidden-visually' : undefined}>{label}</span>
    </label>
  )
}
