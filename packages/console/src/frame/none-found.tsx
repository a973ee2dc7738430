import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import type { TimeRange } from '../lib/time-range.ts'
import { Button } from '../ui/button.tsx'
import { lazyPart } from '../ui/loading/lazy-part.tsx'
import type { NoneFoundProps } from './none-found-message.tsx'

/** A list without rows, and what to do about it: most lists have some. */
export const NoneFound = lazyPart<NoneFoundProps>(async () => (await import('./none-found-message.tsx')).NoneFoundMessage)

/** The longest range that one click chooses. */
const widest = '-90d'

/** Shows a range without rows at its widest; nothing where it is. */
export function WidenRange({ range, onChange }: {
  readonly range: TimeRange
  readonly onChange: (range: TimeRange) => void
}): ReactNode {
  if (range.from === widest && range.to === undefined) return null
  return <Button onClick={() => onChange({ from: widest, to: undefined })}>{t(`time.preset.${widest}`)}</Button>
}
