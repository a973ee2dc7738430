import type { AlertBody } from '@tripline/contract/console/alert'
import type { AlertBulkResultBody } from '@tripline/contract/console/alerts/alert-bulk'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { showToast } from '../../ui/toast-store.ts'
import { alertKey, historyKey, noteAlert, toShown } from './alert-store.ts'
import type { AlertChange } from './alert-store.ts'

/** Alerts by their ids, or all that the parameters of the list select; of those, where it is stated, the ones in some statuses. */
export type BulkTarget = ({ readonly ids: readonly string[] } | { readonly filter: object; readonly expect_total: number }) & {
  readonly only_status?: readonly AlertBody['status'][]
}

/** What a change of many would do; nothing is changed. */
export function previewBulk(target: BulkTarget, set: AlertChange): Promise<AlertBulkResultBody> {
  return callApi<AlertBulkResultBody>('/v1/alerts/bulk', { method: 'POST', body: { ...target, set, dry_run: true } })
}

/**
 * Changes many alerts in one request: the rows that are loaded at once, and back where the server refuses. Undo is the server's,
 * and restores what each alert was.
 */
export async function changeMany(
  shown: readonly AlertBody[], target: BulkTarget, set: AlertChange, print: (count: number) => string,
): Promise<void> {
  const { only_status: only } = target
  const loaded = only === undefined ? shown : shown.filter(({ status }) => only.includes(status))
  for (const alert of loaded) noteAlert({ ...alert, ...toShown(set) })
  try {
    const { failed, undo, changed } = await callApi<AlertBulkResultBody>('/v1/alerts/bulk', { method: 'POST', body: { ...target, set } })
    restore(loaded, new Set(failed.map(({ id }) => id)))
    forgetDetails(loaded)
    if (failed.length > 0)
      showToast({ kind: 'error', text: t('alerts.bulk.failed', { count: failed.length, changed: printNumber(changed) }) })
    else showToast({ kind: 'notice', text: print(changed), ...(undo !== null && { undo: () => void undoMany(loaded, undo.id) }) })
  } catch (error) {
    restore(loaded)
    showToast({ kind: 'error', text: getErrorText(error) })
  }
}

async function undoMany(loaded: readonly AlertBody[], id: string): Promise<void> {
  try {
    const { changed } = await callApi<Pick<AlertBulkResultBody, 'changed'>>(`/v1/alerts/bulk/${encodeURIComponent(id)}/undo`, {
      method: 'POST',
    })
    restore(loaded)
    forgetDetails(loaded)
    showToast({ kind: 'notice', text: t('alerts.undone', { count: changed }) })
  } catch (error) {
    showToast({ kind: 'error', text: getErrorText(error) })
  }
}

/** Shows alerts as they were: all, or those that are named. */
function restore(alerts: readonly AlertBody[], ids?: ReadonlySet<string>): void {
  for (const alert of alerts) if (ids === undefined || ids.has(alert.id)) noteAlert(alert)
}

/** The versions that were read are out of date; of alerts that are not on screen, lists and counts are. */
function forgetDetails(alerts: readonly AlertBody[]): void {
  for (const { id } of alerts) {
    void queryClient.invalidateQueries({ queryKey: alertKey(id) })
    void queryClient.invalidateQueries({ queryKey: historyKey(id) })
  }
  if (alerts.length === 0) void queryClient.invalidateQueries({ queryKey: ['alerts'] })
}
