import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { enOverlays } from '../i18n/en/overlays.ts'
import { addTexts, t } from '../i18n/translate.ts'
import { getZoneName } from '../lib/format-time.ts'
import { readForm } from '../lib/read-form.ts'
import { defaultFrom, presets, resolveRange, toIso } from '../lib/time-range.ts'
import type { TimeRange } from '../lib/time-range.ts'
import { parseTypedTime } from '../lib/typed-time.ts'
import { getZoneOffset } from '../lib/zone-offset.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import styles from './range-form.module.css'

// They are no part of the first page.
addTexts(enOverlays)

/** The presets of a range, and two times that are typed. */
export function RangeForm({ range, onChange }: { readonly range: TimeRange; readonly onChange: (range: TimeRange) => void }): ReactNode {
  const [problem, setProblem] = useState<{ readonly from?: string | undefined; readonly to?: string | undefined }>({})
  const now = Date.now()
  const { from, to } = resolveRange(range, now)
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const typed = readForm(event.currentTarget)
    const nowMs = Date.now()
    const zone = { nowMs, offsetMinutes: getZoneOffset(nowMs) }
    const read = (name: string): string | undefined => parseTypedTime(typed(name), zone)
    const [begin, typedEnd] = [read('from'), read('to')]
    const end = /^\s*(?:now)?\s*$/i.test(typed('to')) ? undefined : typedEnd
    const isReversed =
      begin !== undefined &&
      typedEnd !== undefined &&
      resolveRange({ from: begin, to: typedEnd }, nowMs).from >= resolveRange({ from: begin, to: typedEnd }, nowMs).to
    setProblem({
      from: begin === undefined ? t('time.invalid') : isReversed ? t('time.reversed') : undefined,
      to: typedEnd === undefined ? t('time.invalid') : undefined,
    })
    if (begin !== undefined && typedEnd !== undefined && !isReversed) onChange({ from: begin, to: end })
  }
  return (
    <div className={styles['form']}>
      <ul className={styles['presets']}>
        {presets.map((preset) => {
          const isChosen = (range.from ?? defaultFrom) === preset && range.to === undefined
          return (
            <li key={preset}>
              <button
                type="button"
                className={styles['preset']}
                aria-pressed={isChosen}
                onClick={() => onChange({ from: preset, to: undefined })}
              >
                {t(`time.preset.${preset}`)}
              </button>
            </li>
          )
        })}
      </ul>
      <form className={styles['absolute']} onSubmit={onSubmit} noValidate>
        <Field
          label={t('time.from')}
          name="from"
          defaultValue={toTyped(from)}
          error={problem.from}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label={t('time.to')}
          name="to"
          defaultValue={range.to === undefined ? 'now' : toTyped(to)}
          error={problem.to}
          autoComplete="off"
          spellCheck={false}
        />
        <p className={styles['hint']}>{t('time.zoneHint', { zone: getZoneName() })}</p>
        <Button type="submit" kind="primary">
          {t('time.apply')}
        </Button>
      </form>
    </div>
  )
}

/** A time as the fields show it, in the zone of the page. */
function toTyped(atMs: number): string {
  return toIso(atMs + getZoneOffset(atMs) * 60_000)
    .slice(0, 19)
    .replace('T', ' ')
}
