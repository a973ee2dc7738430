import type { AlertBody } from '@tripline/contract/console/alert'
import type { IncidentDetailBody } from '@tripline/contract/console/incident'
import { ApiError, getErrorText } from '../../api/api-error.ts'
import { callApi, sendApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { showToast } from '../../ui/toast-store.ts'
import type { Toast } from '../../ui/toast-store.ts'
import { noteAlert } from './alert-store.ts'

type Link = NonNullable<Toast['link']>

/** Alerts that one request can name (`namedMax` of the API). */
const alertsMax = 100
/** Characters of a title (`titleLengthMax` of the API). */
const titleMax = 256

/**
 * Opens an incident with alerts, and offers to go there. Where some are in incidents already, it offers to bring all into one.
 * `count` is how many are selected, which may be more than are loaded.
 */
export async function openIncident(alerts: readonly AlertBody[], count: number, onShow: (id: string) => void): Promise<void> {
  if (alerts.length === 0) return
  if (count > alertsMax) {
    showToast({ kind: 'error', text: t('alerts.incident.tooMany', { max: alertsMax, chosen: printNumber(count) }) })
    return
  }
  const linkTo = (id: string): Link => {
    return { href: `/incidents/${encodeURIComponent(id)}`, text: t('alerts.incident.show'), follow: () => onShow(id) }
  }
  if (alerts.some(({ incident_id: incident }) => incident !== null)) {
    offerJoin(alerts, linkTo)
    return
  }
  try {
    const body = { title: toTitle(alerts), alert_ids: alerts.map(({ id }) => id) }
    const { id } = await callApi<IncidentDetailBody>('/v1/incidents', { method: 'POST', body })
    for (const alert of alerts) noteAlert({ ...alert, incident_id: id })
    void queryClient.invalidateQueries({ queryKey: ['incidents'] })
    showToast({ kind: 'notice', text: t('alerts.incident.opened', { count: alerts.length }), link: linkTo(id) })
  } catch (error) {
    const existing = error instanceof ApiError ? error.details['incident_id'] : undefined
    const text = t('alerts.incident.failed', { problem: getErrorText(error) })
    showToast({ kind: 'error', text, ...(typeof existing === 'string' && { link: linkTo(existing) }) })
  }
}

/** Says that alerts are in incidents, and offers to bring all into the oldest of these. */
function offerJoin(alerts: readonly AlertBody[], linkTo: (id: string) => Link): void {
  // Ids begin with their time.
  const [target = '', ...others] = [...new Set(alerts.flatMap(({ incident_id: incident }) => incident ?? []))].toSorted()
  const free = alerts.filter(({ incident_id: incident }) => incident === null)
  const count = alerts.length - free.length
  const facts = { count, total: printNumber(alerts.length), incidents: printNumber(others.length + 1) }
  const text = others.length === 0 ? t('alerts.incident.taken', facts) : t('alerts.incident.takenBySeveral', facts)
  const step = others.length === 0 ? t('alerts.incident.addOthers', { count: free.length }) : t('alerts.incident.merge', facts)
  const offer = { text: step, run: () => void join(alerts, { target, others, free }, linkTo(target)) }
  showToast({ kind: 'error', text, link: linkTo(target), ...(others.length + free.length > 0 && { offer }) })
}

/** Merges incidents into one, and adds alerts to it. */
async function join(
  alerts: readonly AlertBody[],
  { target, others, free }: { readonly target: string; readonly others: readonly string[]; readonly free: readonly AlertBody[] },
  link: Link,
): Promise<void> {
  const path = `/v1/incidents/${encodeURIComponent(target)}`
  const steps = [
    ...(others.length === 0 ? [] : [{ path: `${path}/merge`, body: { incident_ids: others } }]),
    ...(free.length === 0 ? [] : [{ path: `${path}/alerts`, body: { alert_ids: free.map(({ id }) => id) } }]),
  ]
  try {
    let { etag: ifMatch } = await sendApi<IncidentDetailBody>(path)
    for (const step of steps) {
      ifMatch = (await sendApi<IncidentDetailBody>(step.path, { method: 'POST', body: step.body, ifMatch })).etag
    }
    for (const alert of alerts) noteAlert({ ...alert, incident_id: target })
    showToast({ kind: 'notice', text: t('alerts.incident.joined', { count: alerts.length }), link })
  } catch (error) {
    showToast({ kind: 'error', text: t('alerts.incident.notJoined', { problem: getErrorText(error) }), link })
  }
  void queryClient.invalidateQueries({ queryKey: ['incidents'] })
}

/** What the alerts have in common, as the title of their incident; users can change it there. */
function toTitle(alerts: readonly AlertBody[]): string {
  const [first] = alerts
  if (first === undefined) return ''
  const { rule_title: rule, event } = first
  const place = [event.host, event.user].find((name) => name !== '')
  const more = printNumber(alerts.length - 1)
  const single = place === undefined ? rule : t('alerts.incident.titleOne', { rule, place })
  return (alerts.length === 1 ? single : t('alerts.incident.titleMany', { rule, more })).slice(0, titleMax)
}
