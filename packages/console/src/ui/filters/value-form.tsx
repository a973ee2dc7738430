import type { FormEvent, ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../button.tsx'
import { Field } from '../field.tsx'
import { Check } from '../icons.tsx'
import styles from './value-form.module.css'

/** A value that a filter may have. */
export type FilterValue = { readonly value: string; readonly label: string; readonly count?: number }

type ValueFormProps = {
  readonly label: string
  readonly values: readonly FilterValue[]
  readonly chosen: readonly string[]
  readonly onChoose: (value: string) => void
  /** Takes a value that is typed, where others exist than those that are listed. */
  readonly onType?: (value: string) => void
}

/** The editor of a filter: its values, of which those that are chosen are marked, or one that is typed. */
export function ValueForm({ label, values, chosen, onChoose, onType }: ValueFormProps): ReactNode {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const typed = readForm(event.currentTarget)('value').trim()
    if (typed !== '') onType?.(typed)
  }
  return (
    <div className={styles['editor']}>
      <div className={styles['values']} role="group" aria-label={label}>
        {values.map(({ value, label: text, count }) => (
          <button
            key={value}
            type="button"
            className={styles['value']}
            aria-pressed={chosen.includes(value)}
            onClick={() => onChoose(value)}
          >
            <Check size={14} aria-hidden className={styles['mark']} />
            <span className={styles['text']} title={toVisibleText(text)}>{toVisibleText(text)}</span>
            {count !== undefined && <span className={styles['count']}>{printNumber(count)}</span>}
          </button>
        ))}
      </div>
      {onType !== undefined && (
        <form className={styles['typed']} onSubmit={submit}>
          <Field label={t('filters.other')} name="value" autoComplete="off" spellCheck={false} />
          <Button type="submit">{t('filters.use')}</Button>
        </form>
      )}
    </div>
  )
}
