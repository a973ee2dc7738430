import { Fragment, useCallback, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import styles from './versioned.module.css'

const controls = 'input, select, textarea, button, a[href]'

/** A form that begins anew with each version of what is stored, while the focus stays at its control. */
export function Versioned({ version, children }: { readonly version: string | undefined; readonly children: ReactNode }): ReactNode {
  const region = useRef<HTMLDivElement>(null)
  const place = useRef(-1)
  const notePlace = useCallback(() => {
    place.current = listControls(region.current).findIndex((control) => control === document.activeElement)
  }, [])
  useLayoutEffect(() => {
    if (place.current !== -1) listControls(region.current)[place.current]?.focus({ preventScroll: true })
    place.current = -1
  }, [version])
  return (
    <div ref={region} className={styles['region']}>
      <Fragment key={version}>
        <BeforeEnd run={notePlace} />
        {children}
      </Fragment>
    </div>
  )
}

/** Runs something before the version around it is removed: it is the first of it. */
function BeforeEnd({ run }: { readonly run: () => void }): ReactNode {
  useLayoutEffect(() => run, [run])
  return null
}

function listControls(region: HTMLElement | null): readonly HTMLElement[] {
  return [...(region?.querySelectorAll<HTMLElement>(controls) ?? [])]
}
