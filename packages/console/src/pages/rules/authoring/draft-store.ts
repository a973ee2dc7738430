import { keepInBrowser, readFromBrowser } from '../../../lib/browser-storage.ts'

/** Keeps what is written and not saved in the browser, by tenant and rule: leaving the page loses nothing. */
export function keepDraft(key: string, text: string | undefined): void {
  keepInBrowser(toName(key), text)
}

export function readDraft(key: string): string | undefined {
  return readFromBrowser(toName(key))
}

function toName(key: string): string {
  return `tripline.draft.${key}`
}
