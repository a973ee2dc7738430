import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import { findNextStep, recordStep } from '@tripline/model/playbooks/playbook'
import type { PlaybookRun } from '@tripline/model/playbooks/playbook'
import type { TenantId } from '@tripline/model/tenant'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'
import { sendStep } from './send-step.ts'
import type { StepSendingDeps } from './send-step.ts'
import { takeStep } from './take-step.ts'
import type { NotifyChannel } from './take-step.ts'

type RunnerDeps = StepSendingDeps & {
  readonly state: StateStore
  /** Queues a notification, and has what is queued for a channel sent once that is stored. */
  readonly notify: NotifyChannel
  readonly wakeChannel: (tenant: TenantId, channelId: string) => void
  readonly log: Pick<Log, 'error' | 'warn'>
}

/**
 * Carries out the runs of playbooks, those of a tenant one after the other. What a step changes and the record that it was
 * taken are one transaction, so a step is taken once, over crashes too; a webhook is sent again if its answer was not
 * recorded, under the same id. Runs that could not go on are taken up by a job, at the start and once a minute.
 */
export class PlaybookRunner {
  readonly #deps: RunnerDeps
  readonly #busy = new Map<TenantId, Promise<void>>()
  readonly #again = new Set<TenantId>()
  readonly #stop = new AbortController()

  constructor(deps: RunnerDeps) {
    this.#deps = deps
  }

  /** A tenant has runs that may go on. */
  wake(tenant: TenantId): void {
    if (this.#stop.signal.aborted) return
    if (this.#busy.has(tenant)) {
      this.#again.add(tenant)
      return
    }
    this.#busy.set(tenant, this.#serve(tenant))
  }

  /** The job that takes up what waits. */
  createJob(): ScheduledJob {
    return {
      name: 'playbooks', everyMs: limits.playbooks.resumeMs, afterStartMs: 0, failure: 'waiting runs of playbooks could not be taken up',
      run: async () => {
        for (const { id } of await this.#deps.state.tenants.list()) this.wake(id)
        await this.untilIdle()
      },
    }
  }

  async untilIdle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values())
  }

  /** Ends after the steps in hand; the others are taken at the next start. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.untilIdle()
  }

  /** It never throws: what fails is taken up by the job. */
  async #serve(tenant: TenantId): Promise<void> {
    try {
      do {
        this.#again.delete(tenant)
        const runs = await this.#deps.state.playbooks.unfinishedRuns(tenant, limits.playbooks.runsAtOnceMax)
        for (const run of runs) await this.#carryOut(tenant, run)
        if (runs.length > 0) this.#again.add(tenant)
      } while (this.#again.has(tenant) && !this.#stop.signal.aborted)
    } catch (error) {
      this.#deps.log.warn('runs of playbooks wait', { tenant, error: getErrorMessage(error) })
    } finally {
      this.#busy.delete(tenant)
    }
  }

  async #carryOut(tenant: TenantId, begun: PlaybookRun): Promise<void> {
    const { state, clock, notify, wakeChannel } = this.#deps
    let run = begun
    for (let index = findNextStep(run); index !== undefined && !this.#stop.signal.aborted; index = findNextStep(run)) {
      const step = run.steps[index]!
      if (step.type !== 'webhook') {
        run = await state.transaction((stores) => takeStep(stores, tenant, { run, index: index!, step, at: clock.now(), notify }))
        if (step.type === 'notify') wakeChannel(tenant, step.channel)
        continue
      }
      const sending = recordStep(run, index, { status: 'running', result: '' }, clock.now())
      await state.playbooks.saveRun(tenant, sending)
      const end = await sendStep(this.#deps, tenant, { run: sending, index, step, signal: this.#stop.signal })
      // A server that stops sends it again.
      if (end === undefined) return
      run = recordStep(sending, index, end, clock.now())
      await state.playbooks.saveRun(tenant, run)
    }
  }
}
