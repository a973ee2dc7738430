import { getErrorText } from '../../api/api-error.ts'
import { getResponse, toFile } from '../../api/client.ts'
import { enOverlays } from '../../i18n/en/overlays.ts'
import { addTexts, t } from '../../i18n/translate.ts'
import { RowCounter } from '../../lib/lists/row-counter.ts'
import type { SavedFormat } from '../../lib/lists/row-counter.ts'
import { saveFile } from '../../lib/save-file.ts'
import { showToast } from '../../ui/toast-store.ts'
import { runningExport } from './export-store.ts'
import type { ExportedList } from './export-store.ts'

// They are no part of the first page.
addTexts(enOverlays)

/** Milliseconds between two states that are shown. */
const shownEveryMs = 250

/** Exports a list while its rows are counted, and saves the file once all of it is there. One export runs at a time. */
export async function runExport({ resource, query, total }: ExportedList, format: SavedFormat): Promise<void> {
  if (runningExport.get() !== undefined) return
  const aborting = new AbortController()
  const stop = (): void => aborting.abort()
  const counter = new RowCounter(format)
  runningExport.set({ total, count: 0, stop })
  try {
    const response = await getResponse(`/v1/exports/${resource}`, { query: { ...query, format }, signal: aborting.signal })
    const parts: BlobPart[] = []
    let shownAt = 0
    // A body that breaks off fails here, so that a part is never saved as the whole.
    for await (const bytes of readBytes(response)) {
      counter.take(bytes)
      parts.push(bytes)
      const now = performance.now()
      if (now - shownAt < shownEveryMs) continue
      shownAt = now
      runningExport.set({ total, count: counter.count, stop })
    }
    const file = toFile(response, parts)
    saveFile(file)
    const missing = response.headers.get('x-query-warnings')
    const done = t('export.done', { count: counter.count, name: file.name })
    showToast({ kind: 'notice', text: missing === null ? done : `${done} ${t('export.missing', { warnings: missing })}` })
  } catch (error) {
    const { count } = counter
    if (aborting.signal.aborted) showToast({ kind: 'notice', text: t('export.stopped', { count }) })
    else showToast({ kind: 'error', text: t('export.failed', { count, problem: getErrorText(error) }) })
  } finally {
    runningExport.set(undefined)
  }
}

async function* readBytes({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (body === null) return
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
