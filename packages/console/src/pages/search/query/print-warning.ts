import { t } from '../../../i18n/translate.ts'

/** A warning of a search in words: what it could not find, or what its query probably does not mean. */
export function printWarning(warning: string): string {
  const [kind = '', rest = ''] = warning.split(/:(.*)/s)
  switch (kind) {
    case 'not_searchable_yet':
      return t('search.warning.notSearchable', { count: Number(rest) })
    case 'lost_events':
    case 'unreadable_events':
      return t('search.warning.lost', { count: Number(rest) })
    case 'damaged_blocks':
      return t('search.warning.damaged', { count: Number(rest) })
    case 'counts_partial':
      return t('search.warning.partial')
    case 'page_cut':
      return t('search.warning.cut')
    case 'query':
      return rest
    default:
      return warning
  }
}
