import type { Completion } from '@tripline/query'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'

type CompletionInput = {
  readonly draft: string
  readonly suggest: ((text: string, cursor: number) => Completion) | undefined
  /** Takes the text after a suggestion, with the cursor behind what was inserted. */
  readonly onTake: (text: string, cursor: number) => void
}

/** What a query field shows below itself and does with keys. */
type CompletionState = {
  readonly suggestions: Completion['suggestions']
  readonly active: number | undefined
  /** Suggests at the cursor from now on, as after each change of the text. */
  readonly open: (cursor: number) => void
  readonly close: () => void
  readonly take: (index: number) => void
  /** Whether the key was for the suggestions. */
  readonly pressKey: (event: KeyboardEvent<HTMLInputElement>) => boolean
}

const nothing: Completion = { suggestions: [], replaced: { start: 0, end: 0 } }

/**
 * The suggestions at the cursor of a query (WAI-ARIA combobox with a listbox): arrow keys choose, Enter and Tab take what is
 * chosen, Escape closes. Nothing is chosen at first, so that Enter searches.
 */
export function useCompletion({ draft, suggest, onTake }: CompletionInput): CompletionState {
  const [cursor, setCursor] = useState<number>()
  const [active, setActive] = useState<number>()
  const { suggestions, replaced } = cursor === undefined || suggest === undefined ? nothing : suggest(draft, cursor)
  const open = (at: number): void => {
    setCursor(at)
    setActive(undefined)
  }
  const close = (): void => {
    setCursor(undefined)
    setActive(undefined)
  }
  const take = (index: number): void => {
    const inserted = suggestions[index]?.text ?? ''
    const end = replaced.start + inserted.length
    onTake(draft.slice(0, replaced.start) + inserted + draft.slice(replaced.end), end)
    open(end)
  }
  const pressKey = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    const { key, currentTarget } = event
    const count = suggestions.length
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined) {
      if (count === 0) open(currentTarget.selectionStart ?? draft.length)
      else setActive((before) => ((before ?? (step === 1 ? -1 : 0)) + step + count) % count)
    } else if ((key === 'Enter' || key === 'Tab') && active !== undefined) take(active)
    else if (key === 'Escape' && count > 0) close()
    else {
      if (key === 'Enter') close()
      return false
    }
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { suggestions, active, open, close, take, pressKey }
}
