import type { ReactNode } from 'react'
import { useNow } from '../../lib/clock.ts'
import { printAge, printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import styles from './cell.module.css'

/** A text in a cell of a table, whole in its tooltip; a dash stands for none. */
export function TextCell({
  text,
  isMono = false,
  isStrong = false,
}: {
  readonly text: string
  readonly isMono?: boolean
  readonly isStrong?: boolean
}): ReactNode {
  if (text === '') return <span className={styles['none']}>–</span>
  const shown = toVisibleText(text)
  return (
    <span className={isMono ? styles['mono'] : isStrong ? styles['strong'] : styles['text']} title={shown}>
      {shown}
    </span>
  )
}

/** How long ago an instant is, with the whole time as its tooltip. */
export function AgeCell({ at }: { readonly at: string }): ReactNode {
  const now = useNow()
  return (
    <time className={styles['age']} dateTime={at} title={printTime(at)}>
      {printAge(at, now)}
    </time>
  )
}
