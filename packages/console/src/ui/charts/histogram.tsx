import { useMemo, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { getZoneLabel, printLength, printTick, printTime } from '../../lib/format-time.ts'
import { unitMs } from '../../lib/time-range.ts'
import { useSize } from '../../lib/use-size.ts'
import { getZoneOffset } from '../../lib/zone-offset.ts'
import { severities } from '../badge.tsx'
import type { Bar, Series } from './bars.ts'
import { IconButton } from '../button.tsx'
import styles from './histogram.module.css'
import { Table2 } from '../icons.tsx'
import { listTicks } from './list-ticks.ts'
import { lazyPart } from '../loading/lazy-part.tsx'

// The same as a table is no part of the first page.
const BarTable = lazyPart(async () => (await import('./bar-table.tsx')).BarTable)

type HistogramProps = {
  readonly bars: readonly Bar[]
  readonly barMs: number
  /** What each bar is stacked of, from top to bottom; severities by default. */
  readonly series?: readonly Series[] | undefined
  /** Narrows the range to what was marked; ends in milliseconds, the second exclusive. */
  readonly onZoom: (from: number, to: number) => void
  readonly onZoomOut: () => void
  /** The bar that is pointed at, where other charts on the same axis have it too: they say what it holds in place of a tip. */
  readonly shared?: SharedCursor
}

/** The number of the bar that is pointed at, and what moves there. */
export type SharedCursor = readonly [index: number | undefined, move: (index: number | undefined) => void]

const height = 64
/** Above the highest bar stands how much it is. */
const barHeight = height - 15
/** The room of a label of the axis, with what sets it apart, and that of the last one with the zone behind it. */
const labelWidth = 110
const lastWidth = 100

/** Counts over time, stacked by severity or by `series`: dragging zooms in, a double click out; arrow keys and Enter do the same. */
export function Histogram({ bars, barMs, series: given, onZoom, onZoomOut, shared }: HistogramProps): ReactNode {
  const series = given ?? listSeverities()
  const [ref, { width }] = useSize<HTMLDivElement>()
  const own = useState<number>()
  const [cursor, setCursor] = shared ?? own
  const [brush, setBrush] = useState<{ readonly start: number; readonly end: number }>()
  const [isTable, setIsTable] = useState(false)
  const max = useMemo(() => Math.max(1, ...bars.map(({ count }) => count)), [bars])
  const step = width / Math.max(1, bars.length)
  const indexAt = (clientX: number, element: Element): number =>
    Math.max(0, Math.min(bars.length - 1, Math.floor((clientX - element.getBoundingClientRect().left) / step)))
  const zoom = (one: number, other: number): void => {
    const [first, last] = [bars[Math.min(one, other)], bars[Math.max(one, other)]]
    if (first !== undefined && last !== undefined) onZoom(first.at, last.at + barMs)
  }
  const onPointerUp = (): void => {
    if (brush !== undefined && brush.start !== brush.end) zoom(brush.start, brush.end)
    setBrush(undefined)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (move !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      setCursor(Math.max(0, Math.min(bars.length - 1, (cursor ?? (move === 1 ? -1 : bars.length)) + move)))
    } else if (event.key === 'Enter' && cursor !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      zoom(cursor, cursor)
      setCursor(undefined)
    }
  }
  if (isTable) return <BarTable label={describe(bars)} bars={bars} series={series} onClose={() => setIsTable(false)} />
  const shown = cursor === undefined ? undefined : bars[cursor]
  return (
    <div className={styles['histogram']}>
      <div
        ref={ref}
        className={styles['chart']}
        role="img"
        aria-label={`${describe(bars)}. ${t('histogram.hint')}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(undefined)}
        onDoubleClick={onZoomOut}
        onPointerDown={(event: PointerEvent) => {
          if (event.button !== 0 || bars.length === 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          const start = indexAt(event.clientX, event.currentTarget)
          setBrush({ start, end: start })
        }}
        onPointerMove={(event: PointerEvent) => {
          const index = indexAt(event.clientX, event.currentTarget)
          if (brush !== undefined) setBrush({ ...brush, end: index })
          setCursor(index)
        }}
        onPointerUp={onPointerUp}
        onPointerLeave={() => setCursor(undefined)}
      >
        {bars.some(({ count }) => count > 0) && (
          <span className={styles['peak']} aria-hidden>{t('histogram.peak', { count: max, span: printLength(barMs) })}</span>
        )}
        <Bars bars={bars} keys={series.map(({ key }) => key).join(' ')} step={step} max={max} width={width} />
        {brush !== undefined && (
          <Overlay kind="brush" left={Math.min(brush.start, brush.end) * step} width={(Math.abs(brush.end - brush.start) + 1) * step} />
        )}
        {brush === undefined && cursor !== undefined && <Overlay kind="cursor" left={cursor * step} width={step} />}
        {shown !== undefined && width > 0 && shared === undefined && (
          <Tip bar={shown} barMs={barMs} series={series} left={Math.max(90, Math.min(width - 90, ((cursor ?? 0) + 0.5) * step))} />
        )}
      </div>
      <Axis bars={bars} barMs={barMs} width={width} />
      <span className={styles['switch']}>
        <IconButton icon={Table2} label={t('histogram.table')} onClick={() => setIsTable(true)} />
      </span>
    </div>
  )
}

function listSeverities(): readonly Series[] {
  return severities.map((severity) => ({ key: severity, label: t(`severity.${severity}`) }))
}

/** The bars alone; they do not depend on the cursor. */
function Bars({
  bars,
  keys,
  step,
  max,
  width,
}: {
  readonly bars: readonly Bar[]
  /** The keys of the series, as one text: it is the same at each rendering. */
  readonly keys: string
  readonly step: number
  readonly max: number
  readonly width: number
}): ReactNode {
  return useMemo(
    () => (
      <svg width={width} height={height} className={styles['bars']} aria-hidden>
        {bars.map(({ at, parts }, index) => {
          let top = height
          return keys.split(' ').toReversed().map((key) => {
            const count = parts[key] ?? 0
            if (count === 0) return null
            const size = Math.max(1.5, (count / max) * barHeight)
            top -= size
            return (
              <rect
                key={`${at} ${key}`}
                className={styles[key]}
                x={index * step + 1}
                y={Math.max(0, top)}
                width={Math.max(1, step - 2)}
                height={Math.max(1, size - 1)}
              />
            )
          })
        })}
      </svg>
    ),
    [bars, keys, step, max, width],
  )
}

function Overlay({ kind, left, width }: { readonly kind: 'brush' | 'cursor'; readonly left: number; readonly width: number }): ReactNode {
  return <div className={styles[kind]} style={{ left, width }} />
}

function Tip({ bar, barMs, series, left }: {
  readonly bar: Bar
  readonly barMs: number
  readonly series: readonly Series[]
  readonly left: number
}): ReactNode {
  return (
    <div className={styles['tip']} style={{ left }}>
      <div>
        {printTime(bar.at)} – {printTick(bar.at + barMs, 0)}
      </div>
      {series
        .filter(({ key }) => (bar.parts[key] ?? 0) > 0)
        .map(({ key, label }) => (
          <div key={key} className={styles['tipRow']}>
            <span className={styles['tipLabel']}>{label}</span>
            <span>{printNumber(bar.parts[key] ?? 0)}</span>
          </div>
        ))}
      <div className={styles['tipRow']}>
        <span>{t('histogram.total')}</span>
        <span>{printNumber(bar.count)}</span>
      </div>
    </div>
  )
}

/** Round times below the bars, and their zone at the end. */
function Axis({ bars, barMs, width }: { readonly bars: readonly Bar[]; readonly barMs: number; readonly width: number }): ReactNode {
  const [first] = bars
  const span = bars.length * barMs
  const fitting = { offsetMs: getZoneOffset(first?.at ?? 0) * unitMs.m, countMax: Math.max(1, Math.floor(width / labelWidth)) }
  const ticks = first === undefined ? [] : listTicks(first.at, first.at + span, fitting)
  // Seconds stand only where they tell labels from each other.
  const shownSpan = ticks.every((at) => at % unitMs.m === 0) ? Math.max(span, unitMs.h) : span
  const toX = (at: number): number => (width * (at - (first?.at ?? 0))) / span
  return (
    <div className={styles['axis']} aria-hidden>
      {ticks.filter((at) => toX(at) <= width - lastWidth).map((at) => (
        <span key={at} className={styles['tick']} style={{ left: toX(at) }}>{printTick(at, shownSpan)}</span>
      ))}
      {first !== undefined && <span className={styles['zone']}>{getZoneLabel(first.at)}</span>}
    </div>
  )
}

function describe(bars: readonly Bar[]): string {
  const total = bars.reduce((sum, { count }) => sum + count, 0)
  const peak = bars.reduce<Bar | undefined>((best, bar) => (bar.count > (best?.count ?? 0) ? bar : best), undefined)
  return peak === undefined ? t('histogram.empty') : t('histogram.label', { count: total, peak: printTime(peak.at) })
}
