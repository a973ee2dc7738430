import type { ReactNode } from 'react'
import { toVisibleText } from '../../lib/visible-text.ts'
import styles from './facts.module.css'

/** Names with their values, one a line; a value that is empty is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: string])[] }): ReactNode {
  return (
    <dl className={styles['facts']}>
      {facts.filter(([, value]) => value !== '').map(([name, value]) => (
        <div key={name} className={styles['fact']}>
          <dt>{name}</dt>
          <dd>{toVisibleText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
