import { useEffect, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import styles from './side-panel.module.css'

const widthMin = 420
const widthMax = 900
const storageKey = 'tripline.panel'

/** A panel beside a list, which stays usable; its width is the person's choice. */
export function SidePanel({
  label,
  head,
  foot,
  children,
}: {
  readonly label: string
  readonly head: ReactNode
  readonly foot?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const [width, setWidth] = useState(readWidth)
  useEffect(() => {
    try {
      localStorage.setItem(storageKey, String(width))
    } catch {
      // Storage is off: the width lasts as long as the page.
    }
  }, [width])
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const from = { x: event.clientX, width }
    const move = ({ clientX }: globalThis.PointerEvent): void => setWidth(clamp(from.width + from.x - clientX))
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
  }
  const step = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowLeft') setWidth(clamp(width + 20))
    else if (key === 'ArrowRight') setWidth(clamp(width - 20))
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
  try {
    const kept = Number(localStorage.getItem(storageKey) ?? '')
    return kept > 0 ? clamp(kept) : 560
  } catch {
    return 560
  }
}
