import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import styles from './skeleton.module.css'

/** What comes sooner is shown without lines before it, which would only flicker. */
const afterMs = 100
/** Widths of the lines in percent, in turn: lines of one width would look like a table. */
const widths = [72, 48, 84, 60, 36, 78]

type SkeletonProps = {
  readonly lines?: number
  /** Of a line, in pixels. */
  readonly height?: number
}

/** Grey lines in the place of what is being loaded. */
export function Skeleton({ lines = 6, height = 28 }: SkeletonProps): ReactNode {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), afterMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isDue) return null
  return (
    <div className={styles['skeleton']} role="status">
      <span className="hidden-visually">{t('loading')}</span>
      {Array.from({ length: lines }, (_, index) => (
        <svg key={index} className={styles['line']} width="100%" height={height} aria-hidden>
          <rect y={(height - 10) / 2} width={`${widths[index % widths.length] ?? 60}%`} height={10} rx={4} />
        </svg>
      ))}
    </div>
  )
}
