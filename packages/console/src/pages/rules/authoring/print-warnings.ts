import { t } from '../../../i18n/translate.ts'

/** What the server notes about a rule that it saved, as sentences; what is not known here is shown as it was sent. */
export function printWarnings(warnings: readonly string[]): string {
  const named = (kind: string): string =>
    warnings.filter((one) => one.startsWith(`${kind}:`)).map((one) => one.slice(kind.length + 1)).join(', ')
  const [invalid, missing, failed] = [named('invalid_attribute'), named('missing_attribute'), named('tests_failed')]
  const others = warnings.filter((one) => !/^(?:invalid_attribute|missing_attribute|tests_failed):/.test(one))
  return [
    ...(invalid === '' ? [] : [t('rule.warning.invalid', { names: invalid })]),
    ...(missing === '' ? [] : [t('rule.warning.missing', { names: missing })]),
    ...(failed === '' ? [] : [t('rule.warning.tests', { count: Number(failed) })]),
    ...others.map((one) => one === 'deprecated_rule_enabled' ? t('rule.warning.deprecated') : t('rule.warning.other', { warning: one })),
  ].join(' ')
}
