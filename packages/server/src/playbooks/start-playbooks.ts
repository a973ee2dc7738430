import type { Runtime } from '@tripline/common/runtime'
import type { AuditRecorder } from '@tripline/model/audit'
import type { DomainEvent, DomainEventType } from '@tripline/model/delivery/domain-event'
import { createUuidV7 } from '@tripline/model/ids'
import { startRun } from '@tripline/model/playbooks/playbook'
import type { Playbook, PlaybookSubject } from '@tripline/model/playbooks/playbook'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'
import { readPlaybookFilter } from './playbook-filter.ts'
import type { PlaybookRunner } from './run-playbooks.ts'
import { matchesAlert, matchesIncident } from './subject-fields.ts'

type StartDeps = {
  readonly state: Pick<StateStore, 'transaction' | 'playbooks'>
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
  readonly trail: AuditRecorder
  readonly runner: Pick<PlaybookRunner, 'wake'>
}

const subjectOf: { readonly [type in DomainEventType]?: PlaybookSubject } = {
  'alert.created': 'alert', 'alert.updated': 'alert', 'incident.created': 'incident', 'incident.updated': 'incident',
}

/**
 * Creates the consumer of domain events that starts playbooks: once for each alert or incident that comes to match the filter
 * of one, whatever happens to it later. Those of before the playbook are left alone. Events that come again start nothing
 * twice, because a run that starts by itself has a key of playbook and subject.
 */
export function createPlaybookConsumer(deps: StartDeps) {
  return {
    name: 'playbooks',
    topic: 'playbooks',
    async handle(tenant: TenantId, events: readonly DomainEvent[]): Promise<void> {
      const touched = events.filter(({ type }) => subjectOf[type] !== undefined)
      if (touched.length === 0) return
      const automatic = (await deps.state.playbooks.list(tenant)).filter(({ isAutomatic, isEnabled }) => isAutomatic && isEnabled)
      if (automatic.length === 0) return
      const starting = { tenant, touched, automatic }
      const { startedCount, refusedCount } = await deps.state.transaction((stores) => startAll(deps, stores, starting))
      if (refusedCount > 0) noteRefused(deps, tenant, refusedCount)
      if (startedCount > 0) deps.runner.wake(tenant)
    },
  }
}

type Batch = { readonly tenant: TenantId; readonly touched: readonly DomainEvent[]; readonly automatic: readonly Playbook[] }

async function startAll({ clock, randomBytes }: StartDeps, stores: Stores, { tenant, touched, automatic }: Batch) {
  const { waitingMax } = limits.playbooks
  let waitingCount = (await stores.playbooks.unfinishedRuns(tenant, waitingMax)).length
  let [startedCount, refusedCount] = [0, 0]
  const ids = new Set(touched.map(({ type, subject }) => JSON.stringify([subjectOf[type], subject])))
  const known = automatic.map((playbook) => ({ playbook, filter: readPlaybookFilter(playbook) }))
  for (const text of ids) {
    const [kind, id] = JSON.parse(text) as [PlaybookSubject, string]
    const wanted = known.filter(({ playbook }) => playbook.subject === kind)
    const alert = kind === 'alert' && wanted.length > 0 ? await stores.alerts.get(tenant, id) : undefined
    const incident = kind === 'incident' && wanted.length > 0 ? await stores.incidents.get(tenant, id) : undefined
    for (const { playbook, filter } of wanted) {
      const isNew = ((alert ?? incident)?.createdAt ?? 0) >= playbook.createdAt
      const isMatch = filter === undefined || (alert !== undefined && matchesAlert(filter, alert))
        || (incident !== undefined && matchesIncident(filter, incident))
      if (!isNew || !isMatch) continue
      if (waitingCount >= waitingMax) {
        refusedCount++
        continue
      }
      const at = clock.now()
      const run = startRun(playbook, { id: createUuidV7(at, randomBytes), subjectId: id, requestedBy: '' }, at)
      if (await stores.playbooks.insertRun(tenant, run) === 'taken') continue
      waitingCount++
      startedCount++
    }
  }
  return { startedCount, refusedCount }
}

function noteRefused({ trail }: StartDeps, tenant: TenantId, count: number): void {
  trail.note({
    tenant, actor: { type: 'system', id: 'playbooks' }, action: 'playbook.limit', target: { type: 'tenant', id: tenant },
    outcome: 'failed', circumstances: { ip: undefined, userAgent: undefined, requestId: undefined },
    details: { reason: `more than ${limits.playbooks.waitingMax} waiting runs` }, figures: { runs: count },
  })
}
