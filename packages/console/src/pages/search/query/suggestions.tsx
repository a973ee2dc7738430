import type { Completion } from '@tripline/query'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import styles from './suggestions.module.css'

type SuggestionsProps = {
  readonly id: string
  readonly suggestions: Completion['suggestions']
  /** The one that Enter and Tab take. */
  readonly active: number | undefined
  readonly onTake: (index: number) => void
}

/** The suggestions below a query, the popup of a combobox: the field keeps the focus. */
export function Suggestions({ id, suggestions, active, onTake }: SuggestionsProps): ReactNode {
  return (
    <div id={id} role="listbox" aria-label={t('search.suggestions')} className={styles['list']}>
      {suggestions.map(({ kind, text }, index) => (
        <div
          key={`${kind}:${text}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={styles['option']}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: 'nearest' })
          }}
          // A press must not take the focus from the field.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(index)}
        >
          <span className={styles['text']}>{toVisibleText(text.trim())}</span>
          <span className={styles['kind']}>{t(`search.suggested.${kind}`)}</span>
        </div>
      ))}
    </div>
  )
}
