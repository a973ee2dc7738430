import { t } from '../../i18n/translate.ts'
import { findFieldName } from './connector-types.ts'

/** Settings that the short form does not ask for. */
const otherSettings = [
  'quiet_after', 'framing', 'max_eps', 'base_url', 'allowed_cidrs', 'connections_max', 'connections_per_address_max', 'start_at',
  'confidence', 'delimiter', 'poll_interval', 'verify_ssl', 'collect', 'credentials', 'log_source', 'format', 'token', 'tls_ca',
] as const

/** The name of a setting as the form has it, without its hint; of one without a name, its key. */
export function printSetting(type: string, key: string): string {
  const field = findFieldName(type, key)
  if (field !== undefined) return t(`connectors.field.${field}`).split(/[,(]/, 1).join('').trim()
  const other = otherSettings.find((one) => one === key)
  return other === undefined ? key : t(`connectors.setting.${other}`)
}
