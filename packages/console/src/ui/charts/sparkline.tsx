import type { ReactNode } from 'react'
import styles from './sparkline.module.css'

const width = 84
const height = 20

/** Counts over time as bars; decoration beside the number that it belongs to. */
export function Sparkline({ counts }: { readonly counts: readonly number[] }): ReactNode {
  // Rates may all be below one.
  const max = Math.max(0, ...counts) || 1
  const step = width / Math.max(1, counts.length)
  return (
    <svg className={styles['sparkline']} width={width} height={height} aria-hidden>
      {counts.map((count, index) => {
        const size = count === 0 ? 0 : Math.max(1.5, (count / max) * height)
        return <rect key={index} x={index * step} y={height - size} width={Math.max(1, step - 1)} height={size} />
      })}
    </svg>
  )
}
