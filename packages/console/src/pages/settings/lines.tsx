import type { ReactNode } from 'react'
import styles from './forms.module.css'

/** A labelled box of values, one a line. */
export function Lines({ label, name, values }: {
  readonly label: string
  readonly name: string
  readonly values: readonly string[]
}): ReactNode {
  return (
    <label className={styles['group']}>
      <span className={styles['label']}>{label}</span>
      <textarea
        className={styles['text']}
        name={name}
        rows={Math.max(2, values.length)}
        defaultValue={values.join('\n')}
        spellCheck={false}
      />
    </label>
  )
}

/** The values of such a box. */
export function readLines(text: string): string[] {
  return text.split(/\s+/).filter((line) => line !== '')
}
