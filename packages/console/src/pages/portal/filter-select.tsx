import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Select } from '../../ui/field.tsx'

/** A filter that is always shown: one of the values, or any. What the address holds beside them, such as two of them, stays choosable. */
export function FilterSelect({ label, value, options, onChange }: {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string | undefined) => void
}): ReactNode {
  const nameAll = (values: string): string => {
    return values.split(',').map((one) => options.find((option) => option.value === one)?.label ?? one).join(', ')
  }
  const isKnown = value === undefined || options.some((option) => option.value === value)
  const all = [{ value: '', label: t('portal.alerts.any') }, ...options, ...(isKnown ? [] : [{ value, label: nameAll(value) }])]
  return (
    <Select
      label={label}
      value={value ?? ''}
      options={all.map((option) => ({ value: option.value, label: toVisibleText(option.label) }))}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
    />
  )
}
