import { t } from '../i18n/translate.ts'
import { showToast } from './toast-store.ts'

/** Copies a text, and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ kind: 'notice', text: t('copied') })
  } catch {
    // Browsers give the clipboard to pages of https and of this machine alone.
    showToast({ kind: 'error', text: t('copy.failed', { text: text.slice(0, 200) }) })
  }
}
