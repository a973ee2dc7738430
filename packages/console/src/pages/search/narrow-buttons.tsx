import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { printValue } from '../../lib/visible-text.ts'
import { IconButton } from '../../ui/button.tsx'
import { Equal, EqualNot } from '../../ui/icons.tsx'

/** A value of an event that the query can be narrowed by. */
export type ValueOfEvent = { readonly field: string; readonly value: string | number | boolean }

type NarrowButtonsProps = {
  readonly field: string
  readonly value: unknown
  /** Narrows the query to events with or without a value. */
  readonly onNarrow: (value: ValueOfEvent, isExcluded: boolean) => void
}

/** Characters of a value in the name of a button. */
const valueShownMax = 60

/** Plus and minus on a value: the query finds the events with it alone, or those without it. */
export function NarrowButtons({ field, value, onNarrow }: NarrowButtonsProps): ReactNode {
  // A list and an object are no single value to compare with.
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  const shown = printValue(value).slice(0, valueShownMax)
  return (
    <>
      <IconButton icon={Equal} label={t('search.only', { field, value: shown })} onClick={() => onNarrow({ field, value }, false)} />
      <IconButton icon={EqualNot} label={t('search.without', { field, value: shown })} onClick={() => onNarrow({ field, value }, true)} />
    </>
  )
}
