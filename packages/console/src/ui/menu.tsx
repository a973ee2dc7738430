import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Icon } from './icons.tsx'
import { Kbd } from './button.tsx'
import { Check } from './icons.tsx'
import styles from './menu.module.css'

/** An entry of a menu; with `isChecked` it is one of several choices. */
type MenuItem = {
  readonly label: string
  readonly run: () => void
  readonly icon?: Icon | undefined
  /** The key that does the same. */
  readonly keys?: string
  readonly isChecked?: boolean
  readonly isDisabled?: boolean
  /** A heading above it: the beginning of a group. */
  readonly group?: string
}

type MenuProps = {
  /** The button that opens it, given what ties both together. */
  readonly button: (target: {
    readonly popoverTarget: string
    readonly 'aria-haspopup': 'menu'
    readonly 'aria-expanded': boolean
  }) => ReactNode
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly align?: 'start' | 'end'
}

/** A menu (WAI-ARIA menu button pattern) in a popover: arrow keys move, Enter acts, Esc closes and returns the focus. */
export function Menu({ button, label, items, align = 'start' }: MenuProps): ReactNode {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (isOpen) focusItem(ref.current, 0)
  }, [isOpen])
  const role = items.some(({ isChecked }) => isChecked !== undefined) ? 'menuitemradio' : 'menuitem'
  return (
    <>
      {button({ popoverTarget: id, 'aria-haspopup': 'menu', 'aria-expanded': isOpen })}
      <div
        ref={ref}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={styles['menu']}
        data-align={align}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
        onKeyDown={(event) => moveFocus(event, ref.current)}
      >
        {isOpen &&
          items.map(({ label: text, run, icon: ItemIcon, keys, isChecked, isDisabled = false, group }) => (
            <div key={text} role="none">
              {group !== undefined && (
                <div className={styles['group']} role="presentation">
                  {group}
                </div>
              )}
              <button
                type="button"
                role={role}
                tabIndex={-1}
                aria-checked={role === 'menuitemradio' ? isChecked === true : undefined}
                disabled={isDisabled}
                className={styles['item']}
                onClick={() => {
                  ref.current?.hidePopover()
                  run()
                }}
              >
                {ItemIcon !== undefined && <ItemIcon size={14} aria-hidden />}
                <span className={styles['text']}>{text}</span>
                {keys !== undefined && <Kbd keys={keys} />}
                {isChecked === true && <Check size={14} aria-hidden />}
              </button>
            </div>
          ))}
      </div>
    </>
  )
}

function listItems(menu: HTMLElement | null): readonly HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)') ?? [])]
}

function focusItem(menu: HTMLElement | null, index: number): void {
  const items = listItems(menu)
  items.at(index % Math.max(1, items.length))?.focus()
}

function moveFocus(event: KeyboardEvent, menu: HTMLElement | null): void {
  const items = listItems(menu)
  const at = items.findIndex((item) => item === document.activeElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (next !== undefined) {
    event.preventDefault()
    focusItem(menu, next)
  } else if (/^[\p{L}\d]$/u.test(event.key) && !event.ctrlKey && !event.metaKey) {
    event.stopPropagation()
    const letter = event.key.toLowerCase()
    const order = [...items.slice(at + 1), ...items.slice(0, at + 1)]
    order.find((item) => item.textContent.trim().toLowerCase().startsWith(letter))?.focus()
  }
}
