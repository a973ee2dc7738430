import { createStore } from '../lib/store.ts'

/** What lies over the page. */
export const overlay = createStore<'palette' | 'keys' | 'look' | undefined>(undefined)

/** Opens the palette, the list of keys or the settings of the appearance. */
export function openOverlay(kind: 'palette' | 'keys' | 'look'): void {
  overlay.set(kind)
}

/** Closes what lies over the page. */
export function closeOverlay(): void {
  overlay.set(undefined)
}
