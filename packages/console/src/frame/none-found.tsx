import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { X } from '../ui/icons.tsx'
import { StateMessage } from '../ui/state-message.tsx'

type NoneFoundProps = {
  readonly title: string
  /** What the address states of the selection, by parameter; undefined for what it does not. */
  readonly filters: { readonly [name: string]: unknown }
  readonly onRemove: (removed: { readonly [name: string]: undefined }) => void
}

/** A list without rows; where filters make it so, all of them can be removed at once. */
export function NoneFound({ title, filters, onRemove }: NoneFoundProps): ReactNode {
  const stated = Object.keys(filters).filter((name) => filters[name] !== undefined)
  return (
    <StateMessage title={title}>
      {stated.length > 0 && (
        <Button icon={X} onClick={() => onRemove(Object.fromEntries(stated.map((name) => [name, undefined])))}>
          {t('filters.removeAll')}
        </Button>
      )}
    </StateMessage>
  )
}
