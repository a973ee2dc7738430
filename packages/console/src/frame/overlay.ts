import { createStore } from '../lib/store.ts'

/** What lies over the page. */
export const overlay = createStore<'palette' | 'keys' | 'look' | undefined>(undefined)

/** What was typed for the palette while its code was not there yet. */
export const typedAhead = createStore('')

/** Opens the palette, the list of keys or the settings of the appearance. */
export function openOverlay(kind: 'palette' | 'keys' | 'look'): void {
  overlay.set(kind)
}

/** Closes what lies over the page. */
export function closeOverlay(): void {
  overlay.set(undefined)
  typedAhead.set('')
}
