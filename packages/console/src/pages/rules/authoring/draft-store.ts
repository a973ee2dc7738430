/** Keeps what is written and not saved in the browser, by tenant and rule: leaving the page loses nothing. */
export function keepDraft(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(toName(key))
    else localStorage.setItem(toName(key), text)
  } catch {
    // Storage is off or full: the draft lasts as long as the page.
  }
}

export function readDraft(key: string): string | undefined {
  try {
    return localStorage.getItem(toName(key)) ?? undefined
  } catch {
    return undefined
  }
}

function toName(key: string): string {
  return `tripline.draft.${key}`
}
