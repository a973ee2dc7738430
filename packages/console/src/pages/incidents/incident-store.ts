import type { IncidentBody, IncidentDetailBody } from '@tripline/contract/console/incident'
import { getErrorText } from '../../api/api-error.ts'
import { changeVersioned, isOutdated } from '../../api/change-versioned.ts'
import { callApi, sendApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { t } from '../../i18n/translate.ts'
import { createStore } from '../../lib/store.ts'
import { showToast } from '../../ui/toast-store.ts'

/** A change of an incident as the API takes it. */
type IncidentChange = Partial<Pick<IncidentBody, 'status' | 'assignee' | 'resolution_note'>>

/** An incident with what belongs to it, and its version. */
export type VersionedIncident = { readonly incident: IncidentDetailBody; readonly etag: string | undefined }

/** Incidents as they are after changes, over the rows of the list: a list that is on screen is not loaded again by itself. */
export const changedIncidents = createStore<ReadonlyMap<string, IncidentBody>>(new Map())

/** Reads an incident with its version. */
export async function readIncident(id: string, signal?: AbortSignal): Promise<VersionedIncident> {
  const { body, etag } = await sendApi<IncidentDetailBody>(toPath(id), { signal })
  return { incident: body, etag }
}

/** The key of an incident's details in the cache. */
export function incidentKey(id: string): readonly string[] {
  return ['incidents', 'detail', id]
}

/** Shows an incident in its changed state. */
export function noteIncident(incident: IncidentBody): void {
  changedIncidents.update((all) => new Map(all).set(incident.id, incident))
}

/** Forgets all changes, as when the list is loaded again. */
export function forgetIncidentChanges(): void {
  changedIncidents.set(new Map())
}

/** Changes an incident, with an offer to take it back; what the server refuses is shown, and goes back to its state there. */
export async function changeIncident(before: IncidentBody, change: IncidentChange, message: string): Promise<void> {
  try {
    const after = await applyChange(before, change)
    const { status, assignee } = before
    const undo = (): void => void changeIncident(after, { status, assignee }, t('incidents.undone'))
    showToast({ kind: 'notice', text: message, undo })
  } catch (error) {
    const now = changedIncidents.get().get(before.id) ?? before
    // What another user decided is on screen now; the person may still want what was asked for.
    const again = isOutdated(error) ? { again: () => void changeIncident(now, change, message) } : {}
    showToast({ kind: 'error', text: t('incidents.failed', { title: before.title, problem: getErrorText(error) }), ...again })
  }
}

/**
 * Changes an incident: on screen at once, then on the server under the version that was seen.
 *
 * @throws ApiError, after the page shows the server's state.
 */
export async function applyChange(before: IncidentBody, change: IncidentChange): Promise<IncidentBody> {
  const key = incidentKey(before.id)
  noteIncident({ ...before, ...change })
  try {
    const { body, etag } = await changeVersioned({
      // What was cached may be older than what the row shows.
      known: queryClient.getQueryData<VersionedIncident>(key),
      read: () => readIncident(before.id),
      isConflict: ({ incident }) => isConflict(incident, before),
      send: (ifMatch) => sendApi<IncidentDetailBody>(toPath(before.id), { method: 'PATCH', body: change, ifMatch }),
    })
    queryClient.setQueryData<VersionedIncident>(key, { incident: body, etag })
    noteIncident(body)
    return body
  } catch (error) {
    // What cannot be read either is shown as it was; the caller reports the refusal.
    const now = isOutdated(error) ? await readIncident(before.id).catch(() => undefined) : undefined
    if (now !== undefined) queryClient.setQueryData<VersionedIncident>(key, now)
    noteIncident(now?.incident ?? before)
    throw error
  }
}

/** Adds a comment; whether the server accepted it. */
export async function commentIncident(id: string, content: string): Promise<boolean> {
  try {
    await callApi<unknown>(`${toPath(id)}/comments`, { method: 'POST', body: { content } })
  } catch (error) {
    showToast({ kind: 'error', text: getErrorText(error) })
    return false
  }
  await queryClient.invalidateQueries({ queryKey: incidentKey(id) })
  return true
}

/** Whether another user changed what an analyst decides about. */
function isConflict(now: IncidentBody, seen: IncidentBody): boolean {
  return now.status !== seen.status || now.assignee !== seen.assignee
}

function toPath(id: string): string {
  return `/v1/incidents/${encodeURIComponent(id)}`
}
