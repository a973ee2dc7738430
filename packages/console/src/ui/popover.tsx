import { useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import styles from './popover.module.css'

type PopoverProps = {
  readonly button: (target: {
    readonly popoverTarget: string
    readonly 'aria-haspopup': 'dialog'
    readonly 'aria-expanded': boolean
  }) => ReactNode
  readonly label: string
  readonly align?: 'start' | 'end'
  /** What it holds while it is open, given what closes it. */
  readonly children: (close: () => void) => ReactNode
}

/** A small form that hangs from its button. Esc and a click outside close it; the focus returns to the button. */
export function Popover({ button, label, align = 'start', children }: PopoverProps): ReactNode {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {button({ popoverTarget: id, 'aria-haspopup': 'dialog', 'aria-expanded': isOpen })}
      <div
        ref={ref}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles['popover']}
        data-align={align}
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
      >
        {isOpen && children(() => ref.current?.hidePopover())}
      </div>
    </>
  )
}
