import type { ReactNode } from 'react'
import styles from './toggle.module.css'

/** Filters that are on or off, side by side under one name. */
export function ToggleGroup({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className={styles['group']} role="group" aria-label={label}>
      {children}
    </div>
  )
}

/** A filter that is on or off. */
export function Toggle({
  isOn,
  onToggle,
  children,
}: {
  readonly isOn: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}): ReactNode {
  return (
    <button type="button" className={styles['toggle']} aria-pressed={isOn} onClick={onToggle}>
      {children}
    </button>
  )
}

/** A filter with a word put in or taken out, in the order of `all`; undefined without words. */
export function toggleWord<Word extends string>(
  all: readonly Word[], words: readonly Word[] | undefined, word: Word,
): readonly Word[] | undefined {
  const next = all.filter((one) => (words?.includes(one) === true) !== (one === word))
  return next.length === 0 ? undefined : next
}
