import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printValue, toVisibleText } from '../../lib/visible-text.ts'
import type { Bar, Series } from '../../ui/charts/bars.ts'
import { Button } from '../../ui/button.tsx'
import { Histogram } from '../../ui/charts/histogram.tsx'
import { GroupIcon } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './search-histogram.module.css'
import { toSplitBars } from './search-queries.ts'
import type { useSplit } from './search-queries.ts'

const SplitDialog = lazyPart(async () => (await import('./split-dialog.tsx')).SplitDialog)

type SearchHistogramProps = {
  /** The bars by severity, and their length. */
  readonly bars: readonly Bar[]
  readonly barMs: number
  /** The field that the bars are split by, and what is known of it. */
  readonly field: string | undefined
  readonly split: ReturnType<typeof useSplit>
  readonly onZoom: (from: number, to: number) => void
  readonly onZoomOut: () => void
}

const labelShownMax = 60

/** The found events over time, by severity or by the values of a field; until these are counted the bars are those by severity. */
export function SearchHistogram({ bars, barMs, field, split, ...handlers }: SearchHistogramProps): ReactNode {
  const { data, error, refetch } = split
  const shown = field !== undefined && error === null && data?.field === field ? data : undefined
  const splitBars = useMemo(() => (shown === undefined ? undefined : toSplitBars(shown)), [shown])
  const series = useMemo(() => shown?.values.map(({ value }, index): Series => {
    return { key: `value${index}`, label: toVisibleText(printValue(value)).slice(0, labelShownMax) }
  }), [shown])
  const rest: Series = { key: 'rest', label: t('search.split.rest') }
  return (
    <>
      <Histogram bars={splitBars ?? bars} barMs={barMs} series={series === undefined ? undefined : [...series, rest]} {...handlers} />
      {field !== undefined && error !== null && (
        <ErrorMessage error={error} what={t('search.split.legend', { field })} onRetry={() => void refetch()} />
      )}
      {shown !== undefined && series !== undefined && bars.some(({ count }) => count > 0) && (
        <ul className={styles['legend']} aria-label={t('search.split.legend', { field: shown.field })}>
          {series.map(({ key, label }, index) => (
            <li key={key} className={styles['entry']}>
              <svg width={10} height={10} aria-hidden className={styles[key]}><rect width={10} height={10} rx={2} /></svg>
              <span className={styles['label']} title={label}>{label}</span>
              <span className={styles['count']}>{printNumber(shown.values[index]?.count ?? 0)}</span>
            </li>
          ))}
          <li className={styles['entry']}>
            <svg width={10} height={10} aria-hidden className={styles['rest']}><rect width={10} height={10} rx={2} /></svg>
            <span className={styles['label']}>{rest.label}</span>
          </li>
          {shown.sampled && <li className={styles['note']}>{t('search.split.sampled')}</li>}
        </ul>
      )}
    </>
  )
}

/** Chooses the field that the bars are split by: those that divide the found events, or any other. */
export function SplitMenu({ field, fields, onChange }: {
  readonly field: string | undefined
  readonly fields: readonly string[]
  readonly onChange: (field: string | undefined) => void
}): ReactNode {
  const [isAsking, setIsAsking] = useState(false)
  const listed = field === undefined || fields.includes(field) ? fields : [field, ...fields]
  return (
    <>
      <Menu
        label={t('search.split')}
        align="end"
        button={(target) => (
          <Button kind="ghost" icon={GroupIcon} {...target}>
            {field === undefined ? t('search.split') : t('search.split.by', { field: toVisibleText(field) })}
          </Button>
        )}
        items={[
          { label: t('search.split.severity'), isChecked: field === undefined, run: () => onChange(undefined) },
          ...listed.map((one) => ({ label: toVisibleText(one), isChecked: one === field, run: () => onChange(one) })),
          { label: t('search.split.other'), isChecked: false, run: () => setIsAsking(true) },
        ]}
      />
      {isAsking && <SplitDialog onChoose={onChange} onClose={() => setIsAsking(false)} />}
    </>
  )
}
