import { t } from '../../i18n/translate.ts'

/** How long something took, in the largest unit of which there are two: `40 min`, `3 h`, `2 d`. */
export function printDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return t('portal.duration.minutes', { count: minutes })
  if (minutes < 48 * 60) return t('portal.duration.hours', { count: Math.round(minutes / 60) })
  return t('portal.duration.days', { count: Math.round(minutes / 1_440) })
}
