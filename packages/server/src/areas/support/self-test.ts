import { getErrorMessage } from '@tripline/common/error-message'
import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { SelfTestStage } from '@tripline/contract/console/self-test'
import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import { createUuidV7 } from '@tripline/model/ids'
import { createDefaultTenant, selfTestTenant } from '@tripline/model/tenant'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { selfTestLogsource } from './self-test-rules.ts'

/** What a self-test needs of the server. */
export type SelfTestDeps = {
  readonly state: Pick<StateStore, 'alerts' | 'tenants'>
  readonly pipeline: Pick<Pipeline, 'ingest' | 'accounting'>
  /** How many stored events of a tenant since an instant a query finds. */
  readonly countFound: (tenant: TenantId, query: string, from: number) => Promise<number>
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs' | 'randomBytes'>
}

type StageResult = {
  readonly stage: SelfTestStage
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly durationMs: number
  readonly problem: string | undefined
}

/** What became of the event in each stage. */
export type SelfTestResult = {
  readonly startedAt: number
  readonly isPassed: boolean
  readonly durationMs: number
  readonly stages: readonly StageResult[]
}

/** Sends an event the whole way through the server, one test at a time. */
export class SelfTester {
  readonly #deps: SelfTestDeps
  readonly #sleep: (milliseconds: number) => Promise<void>
  #isRunning = false

  constructor(deps: SelfTestDeps, sleep: (milliseconds: number) => Promise<void> = pause) {
    this.#deps = deps
    this.#sleep = sleep
  }

  /**
   * Sends an event of a tenant of its own, whose rule matches it, and waits until it was accepted, evaluated, raised an alert and is
   * found. What it leaves is of that tenant, and is removed by age as that of others.
   *
   * @throws AppError CONFLICT while another one runs.
   */
  async run(): Promise<SelfTestResult> {
    if (this.#isRunning) throw new AppError('CONFLICT', 'a self-test is running; wait for its end')
    this.#isRunning = true
    try {
      return await this.#run()
    } finally {
      this.#isRunning = false
    }
  }

  async #run(): Promise<SelfTestResult> {
    const { state, pipeline, countFound, clock } = this.#deps
    const startedAt = clock.now()
    const startedMs = clock.elapsedMs()
    await this.#openTenant(startedAt)
    const marker = createUuidV7(startedAt, (count) => clock.randomBytes(count))
    const evaluatedBefore = pipeline.accounting(selfTestTenant).evaluated
    const event = {
      '@timestamp': new Date(startedAt).toISOString(), '_logsource': selfTestLogsource, 'kind': 'self_test', 'Computer': 'self-test',
      'Image': marker,
    }
    const where = [{ field: 'process', operator: 'eq', value: marker }] as const
    const checks: { readonly [stage in SelfTestStage]: () => Promise<void> } = {
      ingest: async () => void await pipeline.ingest(selfTestTenant, [{ bytes: Buffer.from(JSON.stringify(event)) }]),
      detection: () => this.#until(async () => pipeline.accounting(selfTestTenant).evaluated > evaluatedBefore),
      alerts: () => this.#until(async () => (await state.alerts.newest(selfTestTenant, { where }, { limit: 1 })).length > 0),
      search: () => this.#until(async () => await countFound(selfTestTenant, `Image:${marker}`, startedAt) > 0),
    }
    const stages: StageResult[] = []
    for (const [stage, check] of Object.entries(checks) as [SelfTestStage, () => Promise<void>][]) {
      const isReached = stages.every(({ status }) => status === 'passed')
      stages.push(isReached ? await this.#take(stage, check) : { stage, status: 'skipped', durationMs: 0, problem: undefined })
    }
    const isPassed = stages.every(({ status }) => status === 'passed')
    return { startedAt, isPassed, durationMs: clock.elapsedMs() - startedMs, stages }
  }

  /** The tenant is not active: no user, key or connector is of it. */
  async #openTenant(at: number): Promise<void> {
    const { tenants } = this.#deps.state
    if (await tenants.get(selfTestTenant) !== undefined) return
    const tenant = createDefaultTenant({ id: selfTestTenant, name: 'Self-tests of the server' }, at)
    await tenants.insert({ ...tenant, isActive: false, settings: { dedupMinutes: 0, minAlertLevel: 'informational' } })
  }

  async #take(stage: SelfTestStage, check: () => Promise<void>): Promise<StageResult> {
    const { clock } = this.#deps
    const startedMs = clock.elapsedMs()
    try {
      await check()
      return { stage, status: 'passed', durationMs: clock.elapsedMs() - startedMs, problem: undefined }
    } catch (error) {
      return { stage, status: 'failed', durationMs: clock.elapsedMs() - startedMs, problem: getErrorMessage(error) }
    }
  }

  /** @throws Error where it does not come true in time. */
  async #until(isTrue: () => Promise<boolean>): Promise<void> {
    const { stageMs, pollMs } = limits.selfTest
    for (let waitedMs = 0; waitedMs < stageMs; waitedMs += pollMs) {
      if (await isTrue()) return
      await this.#sleep(pollMs)
    }
    throw new Error(`it did not come through within ${stageMs / 1_000} seconds`)
  }
}
