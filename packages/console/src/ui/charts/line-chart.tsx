import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { IconButton } from '../button.tsx'
import { Table2 } from '../icons.tsx'
import { lazyPart } from '../loading/lazy-part.tsx'
import styles from './line-chart.module.css'
import type { Line, PlotProps } from './plot.tsx'

/** A chart and its name. */
export type LineChartProps = PlotProps & {
  readonly label: string
  /** What its values count, and in how long, where they do not say so themselves. */
  readonly unit?: string
}

/** The library that draws is large, and only pages with lines over time need it. */
const Plot = lazyPart(async () => (await import('./plot.tsx')).Plot)

/** Lines over time with one crosshair for all charts of a page; dragging zooms in, and a table says the same. */
export function LineChart(props: LineChartProps): ReactNode {
  const { label, unit, times, lines, format } = props
  const [isTable, setIsTable] = useState(false)
  return (
    <figure className={styles['chart']}>
      <figcaption className={styles['head']}>
        <h3 className={styles['title']}>
          {label} {unit !== undefined && <span className={styles['unit']}>{unit}</span>}
        </h3>
        <ul className={styles['legend']}>
          {lines.length > 1 &&
            lines.map((line, index) => (
              <li
                key={`${line.label} ${index}`}
                className={styles['entry']}
                data-line={line.comparedWith ?? index}
                data-compared={line.comparedWith !== undefined || undefined}
              >
                {line.label}
              </li>
            ))}
        </ul>
        <IconButton
          icon={Table2}
          label={isTable ? t('histogram.chart') : t('histogram.table')}
          isPressed={isTable}
          onClick={() => setIsTable(!isTable)}
        />
      </figcaption>
      {isTable ? (
        <LineTable {...props} />
      ) : (
        <div role="img" aria-label={describe(lines, format)} className={styles['plot']}>
          {times.length > 0 && <Plot {...props} />}
        </div>
      )}
    </figure>
  )
}

function LineTable({ label, times, lines, format }: LineChartProps): ReactNode {
  return (
    <div className={styles['tableBox']} tabIndex={0} role="region" aria-label={label}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th>{t('histogram.time')}</th>
            {lines.map((line) => (
              <th key={line.label}>{line.label}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, index) => (
            <tr key={at}>
              <td>{printTime(at)}</td>
              {lines.map(({ label: name, values }) => {
                const value = values[index] ?? null
                return <td key={name}>{value === null ? '–' : format(value)}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The last and the highest value of each line, for those who do not see the chart. */
function describe(lines: readonly Line[], format: (value: number) => string): string {
  const sentences = lines.flatMap(({ label, values }) => {
    const measured = values.filter((value) => value !== null)
    const last = measured.at(-1)
    if (last === undefined) return []
    const highest = measured.reduce((max, value) => Math.max(max, value), last)
    return [t('chart.line', { label, last: format(last), highest: format(highest) })]
  })
  return sentences.length === 0 ? t('chart.empty') : sentences.join(' ')
}
