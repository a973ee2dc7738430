import { enAudit } from '../../../i18n/en/settings/audit.ts'
import { addTexts, t } from '../../../i18n/translate.ts'

// They belong to this section alone, which is loaded when it is wanted.
addTexts(enAudit)

/** An action of the trail in words: `rule.update` is "Rule: changed". */
export function printAction(action: string): string {
  const [noun = '', verb = ''] = action.split('.')
  return verb === '' ? action : `${printWord('noun', noun)}: ${printWord('verb', verb)}`
}

/** What was acted on in words: the type of a target is the noun of its actions. A search has no id but this word. */
export function printTarget({ type, id }: { readonly type: string; readonly id: string }): string {
  const noun = printWord('noun', type)
  return id === 'search' ? noun : `${noun} ${printShortId(id)}`
}

/** An id that is random is as good as its beginning. */
export function printShortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id) ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
}

/** A word that a newer server knows is shown as it is. */
export function printWord(kind: 'noun' | 'verb' | 'detail', word: string): string {
  const key = `audit.${kind}.${word}`
  return isText(key) ? t(key) : word
}

function isText(key: string): key is keyof typeof enAudit {
  return Object.hasOwn(enAudit, key)
}
