import { keepInBrowser, readFromBrowser, readJsonFromBrowser } from './browser-storage.ts'
import { createStore } from './store.ts'

export const themes = ['system', 'dark', 'light'] as const
export const densities = ['compact', 'default', 'comfortable'] as const
export const zones = ['utc', 'browser', 'tenant'] as const

/** How the pages look for this person: kept in the browser, where `theme.js` reads it before the first paint. */
export type Look = {
  readonly theme: (typeof themes)[number]
  readonly density: (typeof densities)[number]
  readonly language: 'en' | 'ko'
  readonly zone: (typeof zones)[number]
  /** Whether single keys act (WCAG 2.1.4 asks for a way to turn them off). */
  readonly hasKeys: boolean
}

const storageKey = 'tripline.look'

const defaults: Look = { theme: 'system', density: 'default', language: navigatorLanguage(), zone: 'utc', hasKeys: true }

export const look = createStore<Look>({ ...defaults, ...readJsonFromBrowser<Partial<Look>>(storageKey) })

let chosen = JSON.stringify(look.get())

look.subscribe(() => {
  const shown = look.get()
  const text = JSON.stringify(shown)
  // Another theme of the system is no choice of this page, and must not replace one that was made in another tab since.
  if (text !== chosen) keepInBrowser(storageKey, text)
  chosen = text
  showLook(shown)
})

/** Begins with wide rows where nothing was chosen in this browser; that is no choice of the person either. */
export function beginWide(): void {
  if (isLookChosen()) return
  const wide = { ...look.get(), density: 'comfortable' } as const
  chosen = JSON.stringify(wide)
  look.set(wide)
}

/** Whether a person chose how pages look in this browser. */
export function isLookChosen(): boolean {
  return readFromBrowser(storageKey) !== undefined
}

const lightQuery = '(prefers-color-scheme: light)'

// Each reading has an object of its own: reading this one between a change and its report would lose the report.
const systemTheme = typeof matchMedia === 'undefined' ? undefined : matchMedia(lightQuery)
systemTheme?.addEventListener('change', () => look.update((now) => ({ ...now })))

/** The theme that is shown now. */
export function getShownTheme(): 'dark' | 'light' {
  const { theme } = look.get()
  if (theme !== 'system') return theme
  return matchMedia(lightQuery).matches ? 'light' : 'dark'
}

/** Changes between dark and light. */
export function toggleTheme(): void {
  look.update((now) => ({ ...now, theme: getShownTheme() === 'dark' ? 'light' : 'dark' }))
}

/** Makes rows one step denser or wider. */
export function stepDensity(step: -1 | 1): void {
  look.update((now) => ({ ...now, density: densities[densities.indexOf(now.density) + step] ?? now.density }))
}

/** The height of a row in pixels, as `tokens.css` states it. */
export function getRowHeight({ density }: Look): number {
  return density === 'compact' ? 28 : density === 'default' ? 34 : 42
}

function showLook({ density, language }: Look): void {
  const { dataset } = document.documentElement
  dataset['theme'] = getShownTheme()
  dataset['density'] = density
  document.documentElement.lang = language
}

function navigatorLanguage(): Look['language'] {
  return typeof navigator !== 'undefined' && navigator.language.startsWith('ko') ? 'ko' : 'en'
}
