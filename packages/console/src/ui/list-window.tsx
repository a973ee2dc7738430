import { memo, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { listSlots, scrollToRow } from '../lib/lists/list-slots.ts'
import styles from './list-window.module.css'

/** What a page may ask of a list. */
export type ListHandle = {
  /** Scrolls as little as needed to show a row whole. */
  readonly reveal: (row: number) => void
  readonly scrollToTop: () => void
}

/** The element of a row; it renders when another row comes into it, or when the rows change. */
const Slot = memo(function SlotOfWindow({
  row,
  top,
  render,
}: {
  readonly row: number
  readonly top: number
  readonly render: (row: number) => ReactNode
}): ReactNode {
  return (
    <div className={styles['slot']} role="presentation" style={{ transform: `translateY(${top}px)` }}>
      {render(row)}
    </div>
  )
})

type ListWindowProps = {
  readonly rowCount: number
  readonly rowHeight: number
  /** Renders a row; must be the same function while nothing changes, because rows are memoised by it. */
  readonly renderRow: (row: number) => ReactNode
  /** Called with the last rendered row, so that more can be loaded in advance. */
  readonly onShown?: (lastRow: number) => void
  readonly ref?: Ref<ListHandle> | undefined
}

/**
 * A window over rows of one height: only what is on screen has elements, and they are reused by position (`listSlots`). The
 * scroll position is state of this component alone, so that nothing else of a page renders while it scrolls.
 */
export function ListWindow({ rowCount, rowHeight, renderRow, onShown, ref }: ListWindowProps): ReactNode {
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const [view, setView] = useState({ scrollTop: 0, height: 0 })
  const measure = useCallback(() => {
    if (element === null) return
    const { scrollTop, clientHeight: height } = element
    // A step of a row is enough: between two steps the browser moves the rows by itself.
    setView((before) =>
      Math.floor(before.scrollTop / rowHeight) === Math.floor(scrollTop / rowHeight) && before.height === height
        ? before
        : { scrollTop, height },
    )
  }, [element, rowHeight])
  useEffect(() => {
    if (element === null) return undefined
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, measure])
  useImperativeHandle(
    ref,
    () => ({
      reveal: (row) => {
        if (element === null) return
        const { scrollTop, clientHeight: height } = element
        element.scrollTop = scrollToRow(row, { scrollTop, height, rowHeight, rowCount })
      },
      scrollToTop: () => {
        if (element !== null) element.scrollTop = 0
      },
    }),
    [element, rowHeight, rowCount],
  )
  const slots = view.height === 0 ? [] : listSlots({ ...view, rowHeight, rowCount })
  const last = slots.reduce((max, { row }) => Math.max(max, row), 0)
  const shown = useRef(onShown)
  useEffect(() => {
    shown.current = onShown
  })
  useEffect(() => {
    if (view.height > 0) shown.current?.(last)
  }, [last, rowCount, view.height])
  return (
    <div ref={setElement} className={styles['window']} role="rowgroup" tabIndex={0} onScroll={measure}>
      <div className={styles['rows']} role="presentation" style={{ height: rowCount * rowHeight }}>
        {slots.map(({ slot, row }) => (
          <Slot key={slot} row={row} top={row * rowHeight} render={renderRow} />
        ))}
      </div>
    </div>
  )
}
