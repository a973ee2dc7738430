import type { Runtime } from '@tripline/common/runtime'
import { toAlertStatusWord } from '@tripline/model/alert-status'
import { consoleLevels } from '@tripline/model/level'
import type { PlaybookRun, PlaybookStep } from '@tripline/model/playbooks/playbook'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { EgressError } from '../egress/egress-error.ts'
import type { Egress } from '../egress/egress.ts'
import { limits } from '../limits.ts'

export type StepSendingDeps = {
  readonly state: Pick<StateStore, 'alerts' | 'incidents' | 'tenants'>
  readonly egress: Egress
  readonly clock: Pick<Runtime, 'now'>
}

type Sending = {
  readonly run: PlaybookRun
  readonly index: number
  readonly step: Extract<PlaybookStep, { readonly type: 'webhook' }>
  readonly signal: AbortSignal
}

/** Sends a webhook about the subject of a run; undefined if the server stops meanwhile. */
export async function sendStep(
  { state, egress, clock }: StepSendingDeps, tenant: TenantId, { run, index, step, signal }: Sending,
): Promise<{ readonly status: 'succeeded' | 'failed'; readonly result: string } | undefined> {
  const { egressAllowCidrs: extraCidrs } = resolveSettings((await state.tenants.get(tenant)) ?? { settings: {} })
  const { timeoutMs, answerBytesMax } = limits.playbooks
  const body = JSON.stringify({
    event: 'playbook.step', timestamp: new Date(clock.now()).toISOString(), run_id: run.id,
    playbook: { id: run.playbookId, name: run.playbookName }, data: await describeSubject(state, tenant, run),
  })
  const headers = { 'content-type': 'application/json', 'user-agent': 'tripline-playbooks/1', 'webhook-id': `${run.id}_${index + 1}` }
  try {
    const { status, latencyMs } = await egress({
      method: 'POST', url: step.url, headers, body, extraCidrs, timeoutMs, bytesMax: answerBytesMax, isCut: true, signal,
    })
    return { status: status >= 200 && status < 300 ? 'succeeded' : 'failed', result: `HTTP ${status} after ${latencyMs} ms` }
  } catch (error) {
    if (signal.aborted) return undefined
    if (error instanceof EgressError) return { status: 'failed', result: error.message }
    throw error
  }
}

async function describeSubject(
  { alerts, incidents }: StepSendingDeps['state'], tenant: TenantId, { subject, subjectId: id }: PlaybookRun,
): Promise<object> {
  if (subject === 'incident') {
    const incident = await incidents.get(tenant, id)
    const facts = incident && { title: incident.title, severity: consoleLevels[incident.level], status: incident.status }
    return { type: subject, id, ...facts }
  }
  const alert = await alerts.get(tenant, id)
  const facts = alert && { title: alert.ruleTitle, severity: consoleLevels[alert.level], status: toAlertStatusWord(alert.status) }
  return { type: subject, id, ...facts }
}
