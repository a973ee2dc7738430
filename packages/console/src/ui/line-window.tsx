import { memo, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { listLines, placeLines, scrollToLine } from '../lib/line-places.ts'
import type { ListHandle } from './list-window.tsx'
import styles from './list-window.module.css'

type LineWindowProps = {
  /** The lines by names of their own: what is measured of one stays where others come before it. */
  readonly ids: readonly string[]
  /** The height of a line that was not measured yet. */
  readonly lineHeight: number
  /** Renders a line; must be the same function while nothing changes, because lines are memoised by it. */
  readonly renderLine: (line: number) => ReactNode
  /** Called with the last rendered line, so that more can be loaded in advance. */
  readonly onShown?: (lastLine: number) => void
  readonly ref?: Ref<ListHandle> | undefined
}

const noHeights: ReadonlyMap<string, number> = new Map()

type LineProps = {
  readonly id: string
  readonly line: number
  readonly top: number
  readonly render: (line: number) => ReactNode
  readonly onHeight: (id: string, height: number) => void
}

const Line = memo(function LineOfWindow({ id, line, top, render, onHeight }: LineProps): ReactNode {
  const ref = useRef<HTMLDivElement>(null)
  // Before it is painted, so that no line covers another.
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const tell = (): void => onHeight(id, element.offsetHeight)
    tell()
    const observer = new ResizeObserver(tell)
    observer.observe(element)
    return () => observer.disconnect()
  }, [id, onHeight])
  return (
    <div ref={ref} className={styles['slot']} role="presentation" style={{ transform: `translateY(${top}px)` }}>
      {render(line)}
    </div>
  )
})

/** A window over lines that wrap: only what is on screen has elements, and what is measured above it does not move it. */
export function LineWindow({ ids, lineHeight, renderLine, onShown, ref }: LineWindowProps): ReactNode {
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const [view, setView] = useState({ scrollTop: 0, height: 0, width: 0 })
  const [heights, setHeights] = useState(noHeights)
  const tops = useMemo(() => placeLines(ids.map((id) => heights.get(id) ?? lineHeight)), [ids, heights, lineHeight])
  const places = useRef({ ids, tops })
  // Lines tell their heights in their own effects, which come before those of what holds them.
  places.current = { ids, tops }
  const measuredWidth = useRef(0)
  const measure = useCallback(() => {
    if (element === null) return
    const { scrollTop, clientHeight: height, clientWidth: width } = element
    setView({ scrollTop, height, width })
    // In another width they wrap elsewhere. Forgotten later, after lines were drawn, they would cover each other for a moment.
    if (width !== measuredWidth.current) setHeights(noHeights)
    measuredWidth.current = width
  }, [element])
  useEffect(() => {
    if (element === null) return undefined
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, measure])
  const note = useCallback((id: string, height: number) => {
    const { ids: all, tops: known } = places.current
    const line = all.indexOf(id)
    const [top = 0, end = 0] = [known[line], known[line + 1]]
    if (line === -1 || element === null || height === end - top) return
    if (end <= element.scrollTop) element.scrollTop += height - (end - top)
    setHeights((before) => new Map(before).set(id, height))
  }, [element])
  useImperativeHandle(
    ref,
    () => ({
      reveal: (line) => {
        if (element !== null) element.scrollTop = scrollToLine(places.current.tops, line, element.scrollTop, element.clientHeight)
      },
      scrollToTop: () => {
        if (element !== null) element.scrollTop = 0
      },
    }),
    [element],
  )
  const lines = view.height === 0 ? [] : listLines(tops, view.scrollTop, view.height)
  const last = lines.at(-1) ?? 0
  const shown = useRef(onShown)
  useEffect(() => {
    shown.current = onShown
  })
  useEffect(() => {
    if (view.height > 0) shown.current?.(last)
  }, [last, ids.length, view.height])
  return (
    <div ref={setElement} className={styles['window']} role="rowgroup" tabIndex={0} onScroll={measure}>
      <div className={styles['rows']} role="presentation" style={{ height: tops.at(-1) }}>
        {lines.map((line) => {
          const id = ids[line] ?? ''
          return <Line key={id} id={id} line={line} top={tops[line] ?? 0} render={renderLine} onHeight={note} />
        })}
      </div>
    </div>
  )
}
