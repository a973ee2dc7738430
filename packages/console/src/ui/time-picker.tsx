import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { printTime } from '../lib/format-time.ts'
import { defaultFrom, presets, resolveRange } from '../lib/time-range.ts'
import type { TimeRange } from '../lib/time-range.ts'
import { Button } from './button.tsx'
import { ChevronDown, Clock } from './icons.tsx'
import { lazyPart } from './loading/lazy-part.tsx'
import { Popover } from './popover.tsx'
import styles from './time-picker.module.css'

// It opens at a click, so it is no part of the first page.
const RangeForm = lazyPart(async () => (await import('./range-form.tsx')).RangeForm)

/** Chooses a range of time: one of the presets, or two times that are typed. */
export function TimePicker({ range, onChange }: { readonly range: TimeRange; readonly onChange: (range: TimeRange) => void }): ReactNode {
  return (
    <Popover
      label={t('time.label')}
      align="end"
      button={(target) => (
        <Button icon={Clock} {...target}>
          <span className={styles['label']}>
            {printRange(range)}
            <ChevronDown size={14} aria-hidden />
          </span>
        </Button>
      )}
    >
      {(close) => (
        <RangeForm
          range={range}
          onChange={(next) => {
            close()
            onChange(next)
          }}
        />
      )}
    </Popover>
  )
}

/** A range as people say it. */
function printRange({ from = defaultFrom, to }: TimeRange): string {
  const preset = presets.find((one) => one === from)
  if (preset !== undefined && to === undefined) return t(`time.preset.${preset}`)
  const now = Date.now()
  const ends = resolveRange({ from, to }, now)
  return to === undefined ? t('time.since', { time: printTime(ends.from) }) : `${printTime(ends.from)} – ${printTime(ends.to)}`
}
