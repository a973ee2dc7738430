import { useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { keepInBrowser, readFromBrowser } from '../lib/browser-storage.ts'
import styles from './side-panel.module.css'

const widthMin = 420
const widthMax = 900
const widthDefault = 560
/** The part of the window that a panel takes at most until its width is chosen. */
const widthShare = 0.39
const storageKey = 'tripline.panel'

export type SidePanelProps = {
  readonly label: string
  readonly head: ReactNode
  /** Between the head and the body: views of it. */
  readonly tabs?: ReactNode
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** A panel beside a list, which stays usable; its width is the person's choice. */
export function SidePanel({ label, head, tabs, foot, children }: SidePanelProps): ReactNode {
  const [width, setWidth] = useState(readWidth)
  const choose = (next: number): void => {
    const chosen = clamp(next)
    setWidth(chosen)
    keepInBrowser(storageKey, String(chosen))
  }
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const from = { x: event.clientX, width }
    const move = ({ clientX }: globalThis.PointerEvent): void => choose(from.width + from.x - clientX)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
  }
  const step = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowLeft') choose(width + 20)
    else if (key === 'ArrowRight') choose(width - 20)
  }
  return (
    <aside className={styles['panel']} aria-label={label} style={{ width }}>
      <div
        className={styles['handle']}
        role="separator"
        aria-orientation="vertical"
        aria-label={t('panel.resize')}
        tabIndex={0}
        aria-valuenow={width}
        aria-valuemin={widthMin}
        aria-valuemax={widthMax}
        onPointerDown={drag}
        onKeyDown={step}
      />
      <div className={styles['head']}>{head}</div>
      {tabs}
      <div className={styles['body']} tabIndex={-1}>
        {children}
      </div>
      {foot !== undefined && <div className={styles['foot']}>{foot}</div>}
    </aside>
  )
}

/** A part of a panel under its title. */
export function PanelSection({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>{title}</h3>
      {children}
    </section>
  )
}

function clamp(width: number): number {
  return Math.round(Math.max(widthMin, Math.min(widthMax, width)))
}

function readWidth(): number {
  const kept = Number(readFromBrowser(storageKey) ?? '')
  // A narrow window leaves the list the room for its names.
  return clamp(kept > 0 ? kept : Math.min(widthDefault, window.innerWidth * widthShare))
}
