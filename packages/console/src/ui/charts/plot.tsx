import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import Chart from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { getZoneLabel, printTick } from '../../lib/format-time.ts'
import { getShownTheme, look } from '../../lib/look.ts'
import { useSize } from '../../lib/use-size.ts'
import { useStore } from '../../lib/use-store.ts'
import styles from './plot.module.css'

/** A series: a value for each time, null where nothing was measured. */
export type Line = {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** The place of the line that it is to be compared with: it has that one's colour, and dashes. */
  readonly comparedWith?: number
}

/** Times in milliseconds, in order, and at most six lines over them. */
export type PlotProps = {
  readonly times: readonly number[]
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
  /** A label of the axis of values, whose highest one is `max`: they have one unit. Default: `format`. */
  readonly formatTick?: (value: number, max: number) => string
  /** Narrows the range of the page to what was marked, in milliseconds. */
  readonly onZoom?: (from: number, to: number) => void
}

/** The colour of each line, and its dashes; further lines repeat them. */
const strokes: readonly { readonly token: string; readonly dash?: [number, number] }[] = [
  { token: '--accent' },
  { token: '--ok' },
  { token: '--high-bar' },
  { token: '--low-bar' },
  { token: '--accent', dash: [4, 3] },
  { token: '--ok', dash: [4, 3] },
]
const dashes: [number, number] = [4, 3]
const height = 160
/** The labels beside the lines; the tip is moved by as much in the style sheet. */
const axisWidth = 56
/** Half of the longest label of the time axis: the last one stands below the end of the lines. */
const labelHalf = 30
/** Marks narrower than this are clicks. */
const zoomPixelsMin = 6

/** Draws lines on a canvas. Colours are read from the theme, so another theme draws anew. */
export function Plot({ times, lines, format, formatTick, onZoom }: PlotProps): ReactNode {
  const { zone, language } = useStore(look)
  // Not the one that was chosen: that of the system may change meanwhile.
  const theme = getShownTheme()
  const [sizeRef, { width }] = useSize<HTMLDivElement>()
  const box = useRef<HTMLDivElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (element === null || width === 0) return undefined
    const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
    const style = getComputedStyle(document.documentElement)
    const color = (token: string): string => style.getPropertyValue(token).trim()
    const font = '11px "Inter Variable", system-ui, sans-serif'
    const axis = { stroke: color('--text-3'), font, grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } }
    const chart = new Chart(
      {
        width,
        height,
        ms: 1,
        legend: { show: false },
        padding: [8, labelHalf, 0, 0],
        cursor: { sync: { key: 'page' }, y: false, points: { size: 5 }, drag: { x: onZoom !== undefined, y: false, setScale: false } },
        scales: { y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
        axes: [
          { ...axis, size: 26, space: 80, values: (_chart, splits) => splits.map((at) => printTick(at, spanMs)) },
          {
            ...axis, size: axisWidth, space: 36,
            values: (_chart, splits) => splits.map((value) => formatTick?.(value, splits.at(-1) ?? value) ?? format(value)),
          },
        ],
        series: [
          {},
          ...lines.map(({ label, values, comparedWith }, index) => {
            const { token = '--accent', dash: own } = strokes[(comparedWith ?? index) % strokes.length] ?? {}
            const dash = comparedWith === undefined ? own : dashes
            const points = { size: 4, show: true, filter: () => listLonePoints(values) }
            return { label, stroke: color(token), width: 1.5, points, spanGaps: false, ...(dash && { dash }) }
          }),
        ],
        hooks: {
          setCursor: [
            ({ cursor: { idx, left = -1 } }) => {
              const at = idx === null || idx === undefined ? undefined : times[idx]
              showTip(tip.current, at === undefined || left < 0 ? undefined : printValues(at, spanMs), left)
            },
          ],
          setSelect: [
            (drawn) => {
              const { left, width: marked } = drawn.select
              if (marked >= zoomPixelsMin) onZoom?.(drawn.posToVal(left, 'x'), drawn.posToVal(left + marked, 'x'))
              drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            },
          ],
        },
      },
      [[...times], ...lines.map(({ values }) => [...values])],
      element,
    )
    function printValues(at: number, span: number): string {
      const index = times.indexOf(at)
      const values = lines.map(({ label, values: all }) => {
        const value = all[index] ?? null
        return `${lines.length > 1 ? `${label} ` : ''}${value === null ? '–' : format(value)}`
      })
      return [printTick(at, span), ...values].join(' · ')
    }
    return () => chart.destroy()
  }, [times, lines, format, formatTick, onZoom, width, theme, zone, language])
  return (
    <div ref={sizeRef} className={styles['plot']}>
      <div ref={box} />
      <span className={styles['zone']} aria-hidden>{getZoneLabel()}</span>
      <div ref={tip} className={styles['tip']} hidden />
    </div>
  )
}

/** The values that no line leads to, and which would not be seen. */
function listLonePoints(values: Line['values']): number[] {
  return [...values.keys()].filter((index) => {
    return values[index] !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
  })
}

/** Shows a text at the crosshair; the crosshair of another chart moves it too. */
function showTip(element: HTMLElement | null, text: string | undefined, left: number): void {
  if (element === null) return
  element.hidden = text === undefined
  element.textContent = text ?? ''
  // It stands in the middle of the crosshair, and within the chart.
  const half = element.offsetWidth / 2
  const leftMax = (element.parentElement?.clientWidth ?? Infinity) - half - axisWidth
  element.style.left = `${Math.max(half - axisWidth, Math.min(left, leftMax))}px`
}
