import type { KeyboardEvent, ReactNode } from 'react'
import styles from './filter-row.module.css'

/**
 * The row of a list's filters, with what they select at its end. Backspace in the empty search field goes to the last chip; on a
 * chip Backspace and Delete remove it, and Escape goes back to the field.
 */
export function FilterRow({ summary, children }: { readonly summary: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className={styles['row']} role="search" onKeyDown={moveFocus}>
      {children}
      <span className={styles['summary']}>{summary}</span>
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const { key, target, currentTarget: row } = event
  if (!(target instanceof HTMLElement)) return
  const field = row.querySelector<HTMLInputElement>('input[type=search]')
  const chips = [...row.querySelectorAll<HTMLElement>('[data-chip]')]
  const at = chips.indexOf(target)
  if (target === field && key === 'Backspace' && field.value === '') chips.at(-1)?.focus()
  else if (at === -1 || target.getAttribute('aria-expanded') === 'true') return
  else if (key === 'ArrowLeft') chips[Math.max(0, at - 1)]?.focus()
  else if (key === 'ArrowRight') (chips[at + 1] ?? field)?.focus()
  else if (key === 'Escape') field?.focus()
  else if (key === 'Backspace' || key === 'Delete') {
    const remove = target.parentElement?.querySelector<HTMLElement>(':scope > button:last-of-type')
    field?.focus()
    remove?.click()
  } else return
  event.preventDefault()
  event.stopPropagation()
}
