import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useKeys } from '../../lib/keys.ts'
import { Kbd } from '../button.tsx'
import { Search } from '../icons.tsx'
import styles from './search-field.module.css'

type SearchFieldProps = {
  readonly label: string
  /** What the key `/` does, in the list of keys. */
  readonly keyLabel: string
  readonly value: string
  /** Called as the person types; undefined for an empty field. */
  readonly onChange: (text: string | undefined) => void
}

/** The text by which a list is filtered; `/` focuses it, Escape leaves it. */
export function SearchField({ label, keyLabel, value, onChange }: SearchFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', label: keyLabel, run: () => input.current?.focus() }])
  // The address also changes without typing, as by the back button or a saved view.
  useEffect(() => {
    if (input.current !== null && document.activeElement !== input.current) input.current.value = value
  }, [value])
  return (
    <div className={styles['search']}>
      <Search size={14} aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Browsers clear a search field at Escape; here it only leaves the field.
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
      <Kbd keys="/" />
    </div>
  )
}
