import type { AlertBody, AlertDetailBody } from '@tripline/contract/console/alert'
import type { AlertContextBody } from '@tripline/contract/console/alerts/alert-context'
import { getErrorText } from '../../api/api-error.ts'
import { changeVersioned, isOutdated } from '../../api/change-versioned.ts'
import { callApi, sendApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { t } from '../../i18n/translate.ts'
import { tickClock } from '../../lib/clock.ts'
import { createStore } from '../../lib/store.ts'
import { showToast } from '../../ui/toast-store.ts'

/** A change of an alert as the API takes it. */
export type AlertChange = {
  readonly status?: AlertBody['status']
  readonly assignee?: string | null
  readonly verdict?: AlertBody['verdict']
  readonly notes?: string
}

/** An alert with its comments and evidence, and its version. */
export type VersionedAlert = { readonly alert: AlertDetailBody; readonly etag: string | undefined }

/** Alerts as they are after changes, over the rows of the list: a list that is on screen is not loaded again by itself. */
export const changedAlerts = createStore<ReadonlyMap<string, AlertBody>>(new Map())

/** Who else changed an alert while its list was on screen, and when. */
export const changesByOthers = createStore<ReadonlyMap<string, { readonly by: string; readonly at: string }>>(new Map())

/** Requests of a change that run at once. */
const atOnceMax = 4

/** Reads an alert with its version. */
export async function readAlert(id: string, signal?: AbortSignal): Promise<VersionedAlert> {
  const { body, etag } = await sendApi<AlertDetailBody>(`/v1/alerts/${encodeURIComponent(id)}`, { signal })
  return { alert: body, etag }
}

/** The key of an alert's details in the cache. */
export function alertKey(id: string): readonly string[] {
  return ['alerts', 'detail', id]
}

/** The key of an alert's history in the cache. */
export function historyKey(id: string): readonly string[] {
  return ['alerts', 'history', id]
}

/** Shows an alert in its changed state. */
export function noteAlert(alert: AlertBody): void {
  changedAlerts.update((all) => new Map(all).set(alert.id, alert))
}

/** Marks an alert as changed by another user. */
export function noteOther(id: string, by: string, at: string): void {
  changesByOthers.update((all) => new Map(all).set(id, { by, at }))
  // What came a second ago must not be in the future of the shared clock.
  tickClock()
}

/** Forgets all changes, as when the list is loaded again. */
export function forgetChanges(): void {
  changedAlerts.set(new Map())
  changesByOthers.set(new Map())
}

/**
 * Changes alerts: their rows at once, then each on the server under the version that was seen. What the server refuses goes back
 * to its state there; what was changed can be undone, which is a change of its own.
 */
export async function changeAlerts(alerts: readonly AlertBody[], change: AlertChange, message: string): Promise<void> {
  for (const alert of alerts) noteAlert({ ...alert, ...toShown(change) })
  const ids = new Set(alerts.map(({ id }) => id))
  changesByOthers.update((all) => new Map([...all].filter(([id]) => !ids.has(id))))
  const failures: { readonly alert: AlertBody; readonly error: unknown }[] = []
  const changed: AlertBody[] = []
  const waiting = [...alerts]
  const work = async (): Promise<void> => {
    for (let alert = waiting.shift(); alert !== undefined; alert = waiting.shift()) {
      const before = alert
      await changeOne(before, change).then(
        () => changed.push(before),
        (error: unknown) => failures.push({ alert: before, error }),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, work))
  const [failure] = failures
  if (failure !== undefined) {
    // What another user decided is on screen now; the person may still want what was asked for.
    const outdated = failures.filter(({ error }) => isOutdated(error)).map(({ alert }) => changedAlerts.get().get(alert.id) ?? alert)
    const again = outdated.length === 0 ? {} : { again: () => void changeAlerts(outdated, change, message) }
    showToast({ kind: 'error', text: describeFailure(failure, failures.length), ...again })
  } else if (change.notes === undefined) {
    showToast({ kind: 'notice', text: message, undo: () => void undo(changed, change) })
  }
}

/** Changes one alert under the version that was read. @throws ApiError, after the row shows the server's state. */
async function changeOne(before: AlertBody, change: AlertChange): Promise<void> {
  const key = alertKey(before.id)
  try {
    const path = `/v1/alerts/${encodeURIComponent(before.id)}`
    const { body, etag } = await changeVersioned({
      // What was cached may be older than what the row shows.
      known: queryClient.getQueryData<VersionedAlert>(key),
      read: () => readAlert(before.id),
      isConflict: ({ alert }) => isConflict(alert, before),
      send: (ifMatch) => sendApi<AlertDetailBody>(path, { method: 'PUT', body: change, ifMatch }),
    })
    queryClient.setQueryData<VersionedAlert>(key, { alert: body, etag })
    void queryClient.invalidateQueries({ queryKey: historyKey(before.id) })
    noteAlert(body)
  } catch (error) {
    // What cannot be read either is shown as it was; the caller reports the refusal.
    const now = isOutdated(error) ? await readAlert(before.id).catch(() => undefined) : undefined
    if (now !== undefined) {
      queryClient.setQueryData<VersionedAlert>(key, now)
      // Where that cannot be read the row says nothing of it; the message of the refusal comes all the same.
      void noteWhoChanged(before.id).catch(() => undefined)
    }
    noteAlert(now?.alert ?? before)
    throw error
  }
}

/** Marks an alert with who changed it last: live updates tell it too, unless they are paused. */
async function noteWhoChanged(id: string): Promise<void> {
  const path = `/v1/alerts/${encodeURIComponent(id)}/context`
  const { history = [] } = await callApi<AlertContextBody>(path, { query: { include: 'history' } })
  const last = history.at(-1)
  if (last !== undefined) noteOther(id, last.actor, last.at)
}

/** Whether another user changed what an analyst decides about. */
function isConflict(now: AlertBody, seen: AlertBody): boolean {
  return now.status !== seen.status || now.assignee !== seen.assignee || now.verdict !== seen.verdict
}

/** Restores what a change set; a status implies a verdict. Customers may restore their verdict, and nothing else. */
async function undo(alerts: readonly AlertBody[], { status: hasStatus, assignee: hasAssignee }: AlertChange): Promise<void> {
  const groups = Map.groupBy(alerts, ({ status, assignee, verdict }) => {
    return JSON.stringify({ ...(hasStatus !== undefined && { status }), ...(hasAssignee !== undefined && { assignee }), verdict })
  })
  for (const [key, members] of groups) {
    const now = members.map((alert) => changedAlerts.get().get(alert.id) ?? alert)
    await changeAlerts(now, JSON.parse(key) as AlertChange, t('alerts.undone', { count: members.length }))
  }
}

/** A change as the row shows it before the server answers: statuses imply verdicts there. */
export function toShown({ notes: _notes, ...change }: AlertChange): Partial<AlertBody> {
  const implied = change.status === 'resolved' ? 'true_positive' : change.status === 'false_positive' ? 'false_positive' : undefined
  return { ...(implied !== undefined && { verdict: implied }), ...change }
}

function describeFailure({ alert, error }: { readonly alert: AlertBody; readonly error: unknown }, count: number): string {
  return t('alerts.failed', { count, title: alert.rule_title, problem: getErrorText(error) })
}
