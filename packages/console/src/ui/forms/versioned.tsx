import { Fragment, useLayoutEffect, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import styles from './versioned.module.css'

const controls = 'input, select, textarea, button, a[href]'

/** A form that begins anew with each version of what is stored, while the focus stays at its control. */
export function Versioned({ version, children }: { readonly version: string | undefined; readonly children: ReactNode }): ReactNode {
  const region = useRef<HTMLDivElement>(null)
  const place = useRef(-1)
  useLayoutEffect(() => {
    if (place.current !== -1) listControls(region.current)[place.current]?.focus({ preventScroll: true })
    place.current = -1
  }, [version])
  return (
    <div ref={region} className={styles['region']}>
      <Fragment key={version}>
        <FocusNote region={region} place={place} />
        {children}
      </Fragment>
    </div>
  )
}

/** Notes, as the first of what is removed with a version, which of the controls has the focus. */
function FocusNote({ region, place }: {
  readonly region: RefObject<HTMLDivElement | null>
  readonly place: RefObject<number>
}): ReactNode {
  useLayoutEffect(() => {
    const { current: element } = region
    return () => {
      place.current = listControls(element).findIndex((control) => control === document.activeElement)
    }
  }, [region, place])
  return null
}

function listControls(region: HTMLElement | null): readonly HTMLElement[] {
  return [...(region?.querySelectorAll<HTMLElement>(controls) ?? [])]
}
