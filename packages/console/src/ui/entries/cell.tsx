import type { SlaBody } from '@tripline/contract/console/alert'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { useNow } from '../../lib/clock.ts'
import { printAge, printSpan, printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import styles from './cell.module.css'

/** A text in a cell of a table, whole in its tooltip; a dash stands for none. */
export function TextCell({
  text,
  isMono = false,
  isStrong = false,
  whole = text,
}: {
  readonly text: string
  /** What its tooltip says, where the text is a part of it. */
  readonly whole?: string
  readonly isMono?: boolean
  readonly isStrong?: boolean
}): ReactNode {
  if (text === '') return <span className={styles['none']}>–</span>
  const shown = toVisibleText(text)
  return (
    <span className={isMono ? styles['mono'] : isStrong ? styles['strong'] : styles['text']} title={toVisibleText(whole)}>
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

/** When something is due: how much time is left or how long ago it was, and once it is closed whether it was in time. */
export function DueCell({ sla }: { readonly sla: SlaBody | null }): ReactNode {
  const now = useNow()
  if (sla === null) return <TextCell text="" />
  const { due_at: at, state } = sla
  const leftMs = Date.parse(at) - now
  const isOpen = state === 'on_track' || state === 'overdue'
  // An answer may be older than the instant at which it is due.
  const shown = isOpen ? (leftMs > 0 ? 'on_track' : 'overdue') : state
  return (
    <time className={styles['due']} data-state={shown} dateTime={at} title={t('due.at', { time: printTime(at) })}>
      {t(`due.${shown}`, { span: printSpan(Math.abs(leftMs)) })}
    </time>
  )
}
