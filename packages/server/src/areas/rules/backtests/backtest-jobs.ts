import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import type { StoredBacktest } from '@tripline/model/backtest'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { notFound, requireFound } from '@tripline/state/ports/version-conflict'
import { nameActor } from '../../../audit/name-actor.ts'
import { recordAudit } from '../../../audit/record-audit.ts'
import { limits } from '../../../limits.ts'
import { prepareBacktest } from './backtest.ts'
import type { Backtest, HuntDeps } from './backtest.ts'
import type { BacktestRunner } from './backtest-runner.ts'

/** What backtests beside requests need of the server. */
export type BacktestJobDeps = Omit<HuntDeps, 'events' | 'clock'> & {
  readonly state: StateStore
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
  readonly runner: Pick<BacktestRunner, 'wake' | 'cancel' | 'getProgress'>
}

const kind = 'backtest'
const { backtestsWaitingMax, backtestsKeptMax } = limits.rules

/**
 * Begins a backtest beside requests; it is recorded.
 *
 * @throws AppError NOT_FOUND, INVALID_RULE, INVALID_BODY as `backtestRule`; RATE_LIMITED where too many wait.
 */
export async function beginBacktest(deps: BacktestJobDeps, caller: Principal, backtest: Backtest): Promise<StoredBacktest> {
  const { state, clock, runner } = deps
  const { ruleIds, definition = '', exceptions, isCompared } = backtest
  const { from, to } = await prepareBacktest(deps, caller.tenant, backtest)
  const at = clock.now()
  const begun = await state.transaction(async (stores) => {
    if ((await stores.backtests.listUnfinished(caller.tenant)).length >= backtestsWaitingMax) {
      throw new AppError('RATE_LIMITED', `${backtestsWaitingMax} backtests wait or run; retry when one has finished`)
    }
    const wanted: StoredBacktest = {
      id: createUuidV7(at, (count) => clock.randomBytes(count)), ruleIds, definition, exceptions, isCompared, from, to,
      status: 'queued', requestedBy: await nameActor(stores, caller), requestedAt: at, finishedAt: undefined, result: '', error: '',
    }
    await stores.backtests.insert(caller.tenant, wanted)
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    const own = { own_definition: definition !== '', exceptions: exceptions.length }
    const diff = { rule_ids: ruleIds, ...own, compare: isCompared, ...range }
    await recordAudit(stores, caller, { at, action: 'backtest.create', target: { type: kind, id: wanted.id }, diff })
    return wanted
  })
  runner.wake(caller.tenant)
  return begun
}

/** The backtests that are kept, newest first. */
export async function listBacktests({ state }: Pick<BacktestJobDeps, 'state'>, tenant: TenantId): Promise<readonly StoredBacktest[]> {
  return await state.backtests.list(tenant, backtestsKeptMax)
}

/** @throws AppError NOT_FOUND. */
export async function getBacktest({ state }: Pick<BacktestJobDeps, 'state'>, tenant: TenantId, id: string): Promise<StoredBacktest> {
  return requireFound(await state.backtests.get(tenant, id), kind)
}

/** Stops a backtest that waits or runs, and removes it with what it found. @throws AppError NOT_FOUND. */
export async function removeBacktest(
  { state, clock, runner }: Pick<BacktestJobDeps, 'state' | 'clock' | 'runner'>, caller: Principal, id: string,
): Promise<void> {
  await state.transaction(async (stores) => {
    if (!await stores.backtests.remove(caller.tenant, id)) throw notFound(kind)
    await recordAudit(stores, caller, { at: clock.now(), action: 'backtest.delete', target: { type: kind, id } })
  })
  runner.cancel(caller.tenant, id)
}
