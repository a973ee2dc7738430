import { printNumber, t } from '../../i18n/translate.ts'

/** Events by second. Those that come are never none: a few in an hour are less than the last digit. */
export function printRate(rate: number): string {
  return rate > 0 && rate < 0.05 ? t('portal.rate.less', { rate: printNumber(0.1) }) : t('portal.rate', { rate: printNumber(rate) })
}
