import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'

/** What the health of a connector says, in the language of the page where it says how many events came; problems stay in English. */
export function printHealth(message: string): string {
  if (message === 'no event received yet') return t('connectors.health.none')
  const count = /^(\d+) events? in the last minute$/.exec(message)?.[1]
  return count === undefined ? toVisibleText(message) : t('connectors.health.count', { count: Number(count) })
}
