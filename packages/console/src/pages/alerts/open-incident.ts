import type { AlertBody } from '@tripline/contract/console/alert'
import type { IncidentDetailBody } from '@tripline/contract/console/incident'
import { ApiError, getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { showToast } from '../../ui/toast-store.ts'
import { noteAlert } from './alert-store.ts'

/** Alerts that one request can name (`namedMax` of the API). */
const alertsMax = 100
/** Characters of a title (`titleLengthMax` of the API). */
const titleMax = 256

/**
 * Opens an incident with alerts, and offers to go there. Where an alert is in an incident already, that one is offered instead.
 * `count` is how many are selected, which may be more than are loaded.
 */
export async function openIncident(alerts: readonly AlertBody[], count: number, onShow: (id: string) => void): Promise<void> {
  if (alerts.length === 0) return
  if (count > alertsMax) {
    showToast({ kind: 'error', text: t('alerts.incident.tooMany', { max: alertsMax, chosen: printNumber(count) }) })
    return
  }
  const linkTo = (id: string) => ({
    href: `/incidents/${encodeURIComponent(id)}`,
    text: t('alerts.incident.show'),
    follow: () => onShow(id),
  })
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
