import type { Runtime } from '@tripline/common/runtime'
import { AppError, createBodyError, createNameConflict } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { createUuidV7 } from '@tripline/model/ids'
import type { ReportKind, StoredReport } from '@tripline/model/report'
import type { ReportSchedule } from '@tripline/model/report-schedule'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { checkVersion, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions, VersionedPatch } from '@tripline/state/ports/version-conflict'
import { nameActor } from '../audit/name-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getFramework } from '../compliance/compliance.ts'
import { limits } from './limits.ts'
import type { ReportMaker } from './report-maker.ts'
import { beginRunNow } from './run-schedules.ts'
import { findCronProblem, findNextRun } from './schedule-time.ts'

/** What schedules need of the server. */
export type ScheduleDeps = {
  readonly state: StateStore
  readonly settingDefaults: TenantSettings
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
  readonly maker: Pick<ReportMaker, 'wake'>
}

/** What a person states of a schedule; days are undefined where the kind has its usual ones, or none. */
export type ScheduleSettings =
  & Pick<ReportSchedule, 'name' | 'kind' | 'format' | 'language' | 'cron' | 'channelIds' | 'recipients' | 'isEnabled'>
  & { readonly framework: string | undefined; readonly days: number | undefined }

const kindName = 'report_schedule'
const { schedulesMax, waitingMax } = limits.reports
/** Days that a report is about where its schedule does not say. */
const usualDays: { readonly [kind in ReportKind]: number } = { executive: 30, soc_weekly: 7, compliance: 0, assets: 0 }

/** @throws AppError NOT_FOUND. */
export async function getSchedule({ state }: Pick<ScheduleDeps, 'state'>, tenant: TenantId, id: string): Promise<ReportSchedule> {
  return requireFound(await state.reportSchedules.get(tenant, id), kindName)
}

/** The instants at which a schedule runs next, until it is changed. */
export function listNextRuns({ cron, timezone, nextRunAt }: ReportSchedule): readonly number[] {
  const runs = nextRunAt === undefined ? [] : [nextRunAt]
  while (runs.length > 0 && runs.length < limits.reports.shownRuns) {
    const next = findNextRun(cron, timezone, runs.at(-1) ?? 0)
    if (next === undefined) break
    runs.push(next)
  }
  return runs
}

/**
 * Creates a schedule.
 *
 * @throws AppError INVALID_BODY for times, a kind or receivers that do not fit, NOT_FOUND for an unknown framework, CONFLICT for
 *   a name that is taken and at the limit.
 */
export async function createSchedule(deps: ScheduleDeps, caller: Principal, stated: ScheduleSettings): Promise<ReportSchedule> {
  const { tenant } = caller
  const at = deps.clock.now()
  const subject = await checkSubject(deps, tenant, stated)
  return await deps.state.transaction(async (stores) => {
    await checkReceivers(stores, tenant, stated)
    if ((await stores.reportSchedules.list(tenant)).length >= schedulesMax) {
      const message = `the tenant has ${schedulesMax} schedules of reports, which is the limit; delete one first`
      throw new AppError('CONFLICT', message, { limit: schedulesMax })
    }
    const { days: _days, ...rest } = stated
    const schedule: ReportSchedule = {
      ...rest, ...subject, id: createUuidV7(at, deps.randomBytes), ...await planRuns(deps, stores, tenant, stated), lastRunAt: undefined,
      lastReportId: '', createdBy: await nameActor(stores, caller), version: 1, createdAt: at, updatedAt: at,
    }
    if (await stores.reportSchedules.insert(tenant, schedule) === 'taken') throw createNameConflict('a schedule of reports', schedule.name)
    const target = { type: kindName, id: schedule.id }
    await recordAudit(stores, caller, { at, action: 'report_schedule.create', target, diff: diffSchedules(undefined, schedule) })
    return schedule
  })
}

/** Changes a schedule; what it missed while it was paused does not run. @throws AppError as `createSchedule`, PRECONDITION_FAILED. */
export async function changeSchedule(
  deps: ScheduleDeps, caller: Principal, id: string, { patch, versions }: VersionedPatch<Partial<ScheduleSettings>>,
): Promise<ReportSchedule> {
  const { tenant } = caller
  const at = deps.clock.now()
  const known = await getSchedule(deps, tenant, id)
  const subject = await checkSubject(deps, tenant, mergeStated(known, patch))
  return await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.reportSchedules.get(tenant, id), kindName)
    checkVersion(before, versions, kindName)
    const { days: _days, ...stated } = mergeStated(before, patch)
    await checkReceivers(stores, tenant, stated)
    const isMoved = stated.cron !== before.cron || stated.isEnabled !== before.isEnabled
    const change = { ...stated, ...subject, ...(isMoved && await planRuns(deps, stores, tenant, stated)) }
    const changed = await stores.reportSchedules.update(tenant, id, change, { expectedVersion: before.version, at })
    if (changed.outcome === 'taken') throw createNameConflict('a schedule of reports', stated.name)
    const schedule = unwrapChange(changed, kindName)
    if (changed.outcome === 'unchanged') return schedule
    const diff = diffSchedules(before, schedule)
    await recordAudit(stores, caller, { at, action: 'report_schedule.update', target: { type: kindName, id }, diff })
    return schedule
  })
}

/** Removes a schedule; its reports stay. @throws AppError NOT_FOUND, PRECONDITION_FAILED. */
export async function removeSchedule(
  { state, clock }: Pick<ScheduleDeps, 'state' | 'clock'>, caller: Principal, id: string, versions: ExpectedVersions,
): Promise<void> {
  const { tenant } = caller
  await state.transaction(async (stores) => {
    const schedule = requireFound(await stores.reportSchedules.get(tenant, id), kindName)
    checkVersion(schedule, versions, kindName)
    await stores.reportSchedules.remove(tenant, id)
    const diff = { name: [schedule.name, null] }
    await recordAudit(stores, caller, { at: clock.now(), action: 'report_schedule.delete', target: { type: kindName, id }, diff })
  })
}

/**
 * Begins the report of a schedule now, paused or not, and sends it as usual; when it runs next stays.
 *
 * @throws AppError NOT_FOUND; RATE_LIMITED where too many reports wait.
 */
export async function runSchedule(deps: ScheduleDeps, caller: Principal, id: string): Promise<StoredReport> {
  const { tenant } = caller
  const { randomBytes, clock, maker } = deps
  const at = clock.now()
  const report = await deps.state.transaction(async (stores) => {
    const schedule = requireFound(await stores.reportSchedules.get(tenant, id), kindName)
    if ((await stores.reports.listUnfinished(tenant)).length >= waitingMax) {
      throw new AppError('RATE_LIMITED', `${waitingMax} reports are being made; retry when one is finished`)
    }
    const timezone = await findTimezone(deps, stores, tenant)
    const begun = await beginRunNow(stores, tenant, schedule, { at, timezone, randomBytes })
    const diff = { report: begun.id }
    await recordAudit(stores, caller, { at, action: 'report_schedule.run', target: { type: kindName, id }, diff })
    return begun
  })
  maker.wake(tenant)
  return report
}

/** What is stated after a change. Days and framework that are not stated stay while the kind stays. */
function mergeStated(before: ReportSchedule, patch: Partial<ScheduleSettings>): ScheduleSettings {
  const isOther = patch.kind !== undefined && patch.kind !== before.kind
  const kept = isOther ? {} : { days: before.rangeDays === 0 ? undefined : before.rangeDays, framework: before.framework || undefined }
  const { name, kind, format, language, cron, channelIds, recipients, isEnabled } = before
  return { name, kind, format, language, cron, channelIds, recipients, isEnabled, framework: undefined, days: undefined, ...kept, ...patch }
}

/** Checks the kind with what belongs to it, and the times. */
async function checkSubject(
  { state }: Pick<ScheduleDeps, 'state'>, tenant: TenantId, { kind, framework, days, cron }: ScheduleSettings,
): Promise<Pick<ReportSchedule, 'framework' | 'rangeDays'>> {
  const problem = findCronProblem(cron)
  if (problem !== undefined) throw createBodyError('cron', problem)
  const hasRange = usualDays[kind] > 0
  if (!hasRange && days !== undefined) throw createBodyError('days', 'only executive and weekly reports are about a number of days')
  const rangeDays = days ?? usualDays[kind]
  if (kind !== 'compliance') {
    if (framework !== undefined) throw createBodyError('framework', 'only a compliance report has one')
    return { framework: '', rangeDays }
  }
  if (framework === undefined) throw createBodyError('framework', 'a compliance report names its framework')
  return { framework: (await getFramework({ state }, tenant, framework)).catalogue.token, rangeDays }
}

async function checkReceivers(
  { channels }: Pick<Stores, 'channels'>, tenant: TenantId, { channelIds, recipients }: Pick<ScheduleSettings, 'channelIds' | 'recipients'>,
): Promise<void> {
  const known = new Map((await channels.list(tenant)).map((channel) => [channel.id, channel]))
  const unknown = channelIds.findIndex((id) => !known.has(id))
  if (unknown !== -1) throw createBodyError(`channel_ids.${unknown}`, `there is no channel '${channelIds[unknown]}'`)
  if (recipients.length > 0 && !channelIds.some((id) => known.get(id)?.settings.type === 'email')) {
    throw createBodyError('recipients', 'mail needs a channel of type email; add one to the channels of the schedule')
  }
}

async function planRuns(
  { clock, ...deps }: ScheduleDeps, stores: Stores, tenant: TenantId, { cron, isEnabled }: Pick<ScheduleSettings, 'cron' | 'isEnabled'>,
): Promise<Pick<ReportSchedule, 'nextRunAt' | 'timezone'>> {
  const timezone = await findTimezone(deps, stores, tenant)
  return { timezone, nextRunAt: isEnabled ? findNextRun(cron, timezone, clock.now()) : undefined }
}

async function findTimezone(
  { settingDefaults }: Pick<ScheduleDeps, 'settingDefaults'>, { tenants }: Stores, tenant: TenantId,
): Promise<string> {
  return resolveSettings(await tenants.get(tenant) ?? { settings: {} }, settingDefaults).timezone
}

function diffSchedules(before: ReportSchedule | undefined, after: ReportSchedule): { readonly [name: string]: readonly unknown[] } {
  const facts = (schedule: ReportSchedule | undefined): { readonly [name: string]: unknown } => (schedule === undefined ? {} : {
    name: schedule.name, kind: schedule.kind, framework: schedule.framework, format: schedule.format, lang: schedule.language,
    days: schedule.rangeDays, cron: schedule.cron, channel_ids: schedule.channelIds, recipients: schedule.recipients,
    enabled: schedule.isEnabled,
  })
  const old = facts(before)
  const pairs = Object.entries(facts(after)).map(([name, value]) => [name, [old[name] ?? null, value]] as const)
  return Object.fromEntries(pairs.filter(([, [from, to]]) => JSON.stringify(from) !== JSON.stringify(to)))
}
