import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { printValue } from '../lib/visible-text.ts'
import styles from './long-value.module.css'

/** Characters of a value that are shown at once: a value of a log may have 64 KiB. */
const shownMax = 400

/** A value of an event as text, folded where it is long; a part of it may be marked. */
export function LongValue({ value, marked }: { readonly value: unknown; readonly marked?: string | undefined }): ReactNode {
  const [isWhole, setIsWhole] = useState(false)
  const text = printValue(value)
  const isLong = text.length > shownMax
  const shown = isLong && !isWhole ? text.slice(0, shownMax) : text
  return (
    <>
      <Marked text={shown} part={marked} />
      {isLong && (
        <button type="button" className={styles['more']} aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('showLess') : t('showMore', { count: text.length })}
        </button>
      )}
    </>
  )
}

/** A text in which the first occurrence of a part is marked, whatever its case; an empty part marks all. */
export function Marked({ text, part }: { readonly text: string; readonly part: string | undefined }): ReactNode {
  if (part === undefined) return text
  const at = part === '' ? -1 : text.toLowerCase().indexOf(part.toLowerCase())
  if (at === -1) return part === '' ? <mark>{text}</mark> : text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  )
}
