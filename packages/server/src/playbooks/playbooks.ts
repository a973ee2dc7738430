import type { Runtime } from '@tripline/common/runtime'
import { AppError, createBodyError, createNameConflict } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { alertStatusWords } from '@tripline/model/alert-status'
import { createUuidV7 } from '@tripline/model/ids'
import { incidentStatuses } from '@tripline/model/incidents/incident-status'
import { startRun } from '@tripline/model/playbooks/playbook'
import type { Playbook, PlaybookChange, PlaybookRun, PlaybookStep } from '@tripline/model/playbooks/playbook'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { checkVersion, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { VersionedPatch } from '@tripline/state/ports/version-conflict'
import { resolveAssignee } from '../access/resolve-assignee.ts'
import { nameActor } from '../audit/name-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { CursorDeps } from '../http/lists/cursor.ts'
import { readListPage } from '../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../http/lists/list-page.ts'
import { limits } from '../limits.ts'
import { readPlaybookFilter } from './playbook-filter.ts'
import type { PlaybookRunner } from './run-playbooks.ts'

/** What playbooks need of the server. */
export type PlaybookDeps = CursorDeps & {
  readonly state: StateStore
  readonly randomBytes: Runtime['randomBytes']
  readonly runner: Pick<PlaybookRunner, 'wake'>
}

type NewPlaybook = Pick<Playbook, 'name' | 'description' | 'subject' | 'isAutomatic' | 'filter' | 'steps' | 'isEnabled'>

/** Lists all playbooks of a tenant, by name. */
export function listPlaybooks({ state }: PlaybookDeps, tenant: TenantId): Promise<readonly Playbook[]> {
  return state.playbooks.list(tenant)
}

/** @throws AppError NOT_FOUND. */
export async function getPlaybook({ state }: PlaybookDeps, tenant: TenantId, id: string): Promise<Playbook> {
  return requireFound(await state.playbooks.get(tenant, id), 'playbook')
}

/** Lists the runs of a playbook, page by page. @throws AppError NOT_FOUND. */
export async function listPlaybookRuns(
  deps: PlaybookDeps, tenant: TenantId, id: string, request: ListRequest,
): Promise<ListPage<PlaybookRun>> {
  await getPlaybook(deps, tenant, id)
  const where = [...request.where, { field: 'playbook_id', operator: 'eq', value: id } as const]
  return await readListPage(deps, { tenant, endpoint: `playbooks/${id}/runs` }, { ...request, where }, deps.state.playbookRuns)
}

/** @throws AppError CONFLICT for a name that is taken and at the limit; INVALID_BODY for its steps; errors of its filter. */
export function createPlaybook({ state, clock, randomBytes }: PlaybookDeps, caller: Principal, stated: NewPlaybook): Promise<Playbook> {
  const at = clock.now()
  const { tenant } = caller
  return state.transaction(async (stores) => {
    const steps = await checkPlaybook(stores, tenant, stated)
    const { playbooksMax } = limits.playbooks
    if ((await stores.playbooks.list(tenant)).length >= playbooksMax) {
      const message = `the tenant has ${playbooksMax} playbooks, which is the limit; delete one first`
      throw new AppError('CONFLICT', message, { limit: playbooksMax })
    }
    const stamps = { runsTotal: 0, lastRunAt: undefined, version: 1, createdAt: at, updatedAt: at }
    const playbook: Playbook = { ...stated, steps, id: createUuidV7(at, randomBytes), ...stamps }
    if (await stores.playbooks.insert(tenant, playbook) === 'taken') throw createNameConflict('a playbook', stated.name)
    const diff = { name: [null, stated.name], steps: [null, stated.steps] }
    await recordAudit(stores, caller, { at, action: 'playbook.create', target: { type: 'playbook', id: playbook.id }, diff })
    return playbook
  })
}

/** Changes a playbook; runs that began keep their steps. @throws AppError as `createPlaybook`, NOT_FOUND, PRECONDITION_FAILED. */
export function changePlaybook(
  { state, clock }: PlaybookDeps, caller: Principal, id: string, { patch, versions }: VersionedPatch<PlaybookChange>,
): Promise<Playbook> {
  const at = clock.now()
  const { tenant } = caller
  return state.transaction(async (stores) => {
    const before = requireFound(await stores.playbooks.get(tenant, id), 'playbook')
    checkVersion(before, versions, 'playbook')
    const steps = await checkPlaybook(stores, tenant, { ...before, ...patch })
    const change = patch.steps === undefined ? patch : { ...patch, steps }
    const changed = await stores.playbooks.update(tenant, id, change, { expectedVersion: before.version, at })
    if (changed.outcome === 'taken') throw createNameConflict('a playbook', patch.name ?? '')
    const after = unwrapChange(changed, 'playbook')
    if (changed.outcome === 'changed') {
      const diff = Object.fromEntries(Object.keys(patch).map((name) => [name, [Reflect.get(before, name), Reflect.get(after, name)]]))
      await recordAudit(stores, caller, { at, action: 'playbook.update', target: { type: 'playbook', id }, diff })
    }
    return after
  })
}

/** Removes a playbook. What it did stays; runs that began go on. @throws AppError NOT_FOUND. */
export function removePlaybook({ state, clock }: PlaybookDeps, caller: Principal, id: string): Promise<void> {
  const at = clock.now()
  return state.transaction(async (stores) => {
    const { name } = requireFound(await stores.playbooks.get(caller.tenant, id), 'playbook')
    await stores.playbooks.remove(caller.tenant, id)
    await recordAudit(stores, caller, { at, action: 'playbook.delete', target: { type: 'playbook', id }, diff: { name: [name, null] } })
  })
}

/** Runs a playbook about an alert or incident; the run goes on behind the answer. @throws AppError NOT_FOUND, CONFLICT. */
export async function runPlaybook(
  { state, clock, randomBytes, runner }: PlaybookDeps, caller: Principal, id: string, subjectId: string,
): Promise<PlaybookRun> {
  const at = clock.now()
  const { tenant } = caller
  const run = await state.transaction(async (stores) => {
    const playbook = requireFound(await stores.playbooks.get(tenant, id), 'playbook')
    if (!playbook.isEnabled) throw new AppError('CONFLICT', 'the playbook is disabled; enable it first')
    const store = playbook.subject === 'alert' ? stores.alerts : stores.incidents
    requireFound<unknown>(await store.get(tenant, subjectId), playbook.subject)
    const { waitingMax } = limits.playbooks
    if ((await stores.playbooks.unfinishedRuns(tenant, waitingMax)).length >= waitingMax) {
      throw new AppError('CONFLICT', `${waitingMax} runs of playbooks wait, which is the limit; try again later`, { limit: waitingMax })
    }
    const requestedBy = await nameActor(stores, caller)
    const started = startRun(playbook, { id: createUuidV7(at, randomBytes), subjectId, requestedBy }, at)
    await stores.playbooks.insertRun(tenant, started)
    const diff = { subject: playbook.subject, subject_id: subjectId, run_id: started.id }
    await recordAudit(stores, caller, { at, action: 'playbook.run', target: { type: 'playbook', id }, diff })
    return started
  })
  runner.wake(tenant)
  return run
}

/** Checks what a schema cannot: the filter against the fields of its subject, and the steps; these name channels by id then. */
async function checkPlaybook(
  stores: Pick<Stores, 'users' | 'channels'>, tenant: TenantId, playbook: NewPlaybook,
): Promise<readonly PlaybookStep[]> {
  readPlaybookFilter(playbook)
  const statuses: readonly string[] = playbook.subject === 'incident' ? incidentStatuses : Object.keys(alertStatusWords)
  const steps: PlaybookStep[] = []
  for (const [index, step] of playbook.steps.entries()) {
    const path = `steps.${index}`
    await checkStep(stores, tenant, { step, path, statuses })
    steps.push(step.type === 'notify' ? { ...step, channel: await findChannelId(stores, tenant, { text: step.channel, path }) } : step)
  }
  return steps
}

async function findChannelId(
  { channels }: Pick<Stores, 'channels'>, tenant: TenantId, { text, path }: { readonly text: string; readonly path: string },
): Promise<string> {
  const known = await channels.list(tenant)
  const found = known.find(({ id }) => id === text) ?? known.find(({ name }) => name === text)
  if (found !== undefined) return found.id
  throw createBodyError(`${path}.channel`, `there is no notification channel '${text}'`)
}

async function checkStep(
  stores: Pick<Stores, 'users'>, tenant: TenantId,
  { step, path, statuses }: { readonly step: PlaybookStep; readonly path: string; readonly statuses: readonly string[] },
): Promise<void> {
  if (step.type === 'assign') await resolveAssignee(stores, tenant, step.assignee)
  if (step.type !== 'set_status' || statuses.includes(step.status)) return
  throw createBodyError(`${path}.status`, `must be one of ${statuses.join(', ')}`)
}
