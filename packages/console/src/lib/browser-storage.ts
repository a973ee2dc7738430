/** Keeps a text in this browser, or nothing under the name any more; where storage is off or full, it lasts as long as the page. */
export function keepInBrowser(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
  } catch {
    // Nothing depends on it but what a person sees the next time.
  }
}

/** What this browser keeps under a name; undefined where there is none, or storage is off. */
export function readFromBrowser(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** What our pages kept as JSON; undefined where it cannot be read. */
export function readJsonFromBrowser<Kept>(name: string): Kept | undefined {
  try {
    return (JSON.parse(readFromBrowser(name) ?? 'null') as Kept | null) ?? undefined
  } catch {
    return undefined
  }
}
