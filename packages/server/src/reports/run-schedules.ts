import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { createUuidV7 } from '@tripline/model/ids'
import type { ReportSchedule } from '@tripline/model/report-schedule'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StoredReport } from '@tripline/model/report'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { limits } from './limits.ts'
import type { ReportMaker } from './report-maker.ts'
import { findLastRun, findNextRun, getDaysBefore } from './schedule-time.ts'

/** What runs of schedules need of the server. */
type ScheduleRunDeps = {
  readonly state: Pick<StateStore, 'transaction' | 'reportSchedules'>
  readonly settingDefaults: TenantSettings
  readonly maker: Pick<ReportMaker, 'wake'>
  readonly clock: Pick<Runtime, 'now' | 'randomBytes'>
  readonly log: Pick<Log, 'warn'>
}

/** Creates the job that begins the reports that are due. */
export function createScheduleJob(deps: ScheduleRunDeps): ScheduledJob {
  const { scheduleCheckMs: everyMs, firstMs: afterStartMs } = limits.reports
  return {
    name: 'report schedules', everyMs, afterStartMs, failure: 'schedules of reports could not be read', run: () => runDueSchedules(deps),
  }
}

/** Begins the reports that are due. However many runs a schedule missed, it runs once, as its last one. */
async function runDueSchedules(deps: ScheduleRunDeps): Promise<void> {
  for (const { tenant, schedule } of await deps.state.reportSchedules.listEnabled()) {
    try {
      if (await runIfDue(deps, tenant, schedule.id)) deps.maker.wake(tenant)
    } catch (error) {
      // The schedules of others are due too; this one is tried again.
      deps.log.warn('a scheduled report could not begin', { tenant, schedule: schedule.id, error: getErrorMessage(error) })
    }
  }
}

/** One transaction: after a kill a run has its report, or is due still. */
async function runIfDue({ state, settingDefaults, clock }: ScheduleRunDeps, tenant: TenantId, id: string): Promise<boolean> {
  const at = clock.now()
  return await state.transaction(async (stores) => {
    const [schedule, owner] = [await stores.reportSchedules.get(tenant, id), await stores.tenants.get(tenant)]
    if (schedule?.isEnabled !== true || owner?.isActive !== true) return false
    const { cron, nextRunAt: dueAt, timezone: usedZone, lastRunAt, lastReportId } = schedule
    const { timezone } = resolveSettings(owner, settingDefaults)
    if (dueAt === undefined || dueAt > at) {
      // The tenant moved to another zone, or the last run was by a clock that was ahead.
      const isOutdated = usedZone !== timezone || (lastRunAt !== undefined && lastRunAt > at)
      const nextRunAt = isOutdated ? findNextRun(cron, timezone, at) : dueAt
      if (isOutdated) await stores.reportSchedules.noteRuns(tenant, id, { nextRunAt, timezone, lastRunAt, lastReportId })
      return false
    }
    const runAt = findLastRun(cron, usedZone, { dueAt, until: at })
    const report = describeRun(schedule, { at, runAt, timezone: usedZone, randomBytes: clock.randomBytes })
    await stores.reports.insert(tenant, report)
    const nextRunAt = findNextRun(cron, timezone, at)
    return await stores.reportSchedules.noteRuns(tenant, id, { nextRunAt, timezone, lastRunAt: runAt, lastReportId: report.id })
  })
}

type Run = {
  readonly at: number
  /** When it should run, or now. */
  readonly runAt: number
  readonly timezone: string
  readonly randomBytes: Runtime['randomBytes']
}

/** Begins the report of a schedule now; the runs by the clock stay as they are. The caller wakes the maker. */
export async function beginRunNow(
  stores: Pick<Stores, 'reports' | 'reportSchedules'>, tenant: TenantId, schedule: ReportSchedule, run: Omit<Run, 'runAt'>,
): Promise<StoredReport> {
  const report = describeRun(schedule, { ...run, runAt: run.at })
  const { nextRunAt, timezone, lastRunAt } = schedule
  await stores.reports.insert(tenant, report)
  await stores.reportSchedules.noteRuns(tenant, schedule.id, { nextRunAt, timezone, lastRunAt, lastReportId: report.id })
  return report
}

function describeRun({ id, name, kind, framework, format, language, rangeDays }: ReportSchedule, run: Run): StoredReport {
  const { at, runAt, timezone, randomBytes } = run
  const range = rangeDays === 0 ? { from: undefined, to: undefined } : getDaysBefore(runAt, timezone, rangeDays)
  return {
    id: createUuidV7(at, randomBytes), kind, framework, format, language, ...range, status: 'queued', title: '', scheduleId: id,
    requestedBy: name, requestedAt: at, finishedAt: undefined, size: 0, sha256: '', error: '',
  }
}
