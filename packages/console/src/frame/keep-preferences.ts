import { getErrorText } from '../api/api-error.ts'
import { changePreferences, preferencesQuery } from '../api/preferences.ts'
import type { Preferences } from '../api/preferences.ts'
import { queryClient } from '../api/query-client.ts'
import { enTools } from '../i18n/en/tools.ts'
import { addTexts, t } from '../i18n/translate.ts'
import { keepChoices, readChoices } from '../lib/lists/choose-columns.ts'
import { columnChoices } from '../lib/lists/column-choices.ts'
import { densities, isLookChosen, look, themes, zones } from '../lib/look.ts'
import type { Look } from '../lib/look.ts'
import { showToast } from '../ui/toast-store.ts'

addTexts(enTools)

/** Changes within this time are sent together. */
const gatherMs = 2_000

/**
 * Keeps theme, density, time zone, keys and columns of a user on the server too: a browser in which nothing was chosen begins with them.
 * The language stays the browser's, since login pages have it too. Returns what ends it.
 */
export function keepPreferences(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isApplying = false
  let isLeft = false
  const begin = async (): Promise<void> => {
    const preferences = await queryClient.fetchQuery(preferencesQuery)
    if (isLeft) return
    isApplying = true
    if (!isLookChosen()) look.update((now) => ({ ...now, ...readLook(preferences) }))
    if (Object.keys(columnChoices.get()).length === 0) keepChoices(readChoices(preferences['columns']))
    isApplying = false
  }
  const send = async (): Promise<void> => {
    const { theme, density, zone, hasKeys } = look.get()
    await changePreferences({ theme, density, zone, keys: hasKeys, columns: columnChoices.get() })
  }
  const schedule = (): void => {
    if (isApplying) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      send().catch((error: unknown) => {
        if (!isLeft) showToast({ kind: 'error', text: t('preferences.failed', { problem: getErrorText(error) }) })
      })
    }, gatherMs)
  }
  const stops = [look.subscribe(schedule), columnChoices.subscribe(schedule)]
  // What cannot be read now is read again before the first change is sent.
  begin().catch(() => undefined)
  return () => {
    isLeft = true
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}

function readLook(preferences: Preferences): Partial<Look> {
  const { theme, density, zone, keys } = preferences as { readonly [name in 'theme' | 'density' | 'zone' | 'keys']?: unknown }
  const [known, dense, place] = [find(themes, theme), find(densities, density), find(zones, zone)]
  return {
    ...(known !== undefined && { theme: known }), ...(dense !== undefined && { density: dense }),
    ...(place !== undefined && { zone: place }),
    ...(typeof keys === 'boolean' && { hasKeys: keys }),
  }
}

function find<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value)
}
