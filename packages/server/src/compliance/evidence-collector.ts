import { assessFramework } from '@tripline/compliance/assess'
import type { ControlResult } from '@tripline/compliance/assess'
import { findCatalogue } from '@tripline/compliance/catalogues/catalogues'
import { findChanges } from '@tripline/compliance/count-controls'
import { controlMaps } from '@tripline/compliance/maps/control-maps'
import { signals } from '@tripline/compliance/signals/signals'
import type { PlatformSnapshot } from '@tripline/compliance/signals/snapshot'
import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { EvidenceJob } from '@tripline/model/compliance/evidence-job'
import type { AnnounceJob } from '@tripline/model/delivery/job-progress'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { createHash } from 'node:crypto'
import { TenantTurns } from '../runtime/tenant-turns.ts'
import { allFrameworks } from './all-frameworks.ts'
import { printCanonically } from './gather-state.ts'
import type { GatherTerms } from './gather-terms.ts'
import { limits } from './limits.ts'

type CollectorDeps = {
  readonly state: StateStore
  readonly gather: (tenant: TenantId, terms: GatherTerms) => Promise<PlatformSnapshot>
  readonly clock: Pick<Runtime, 'now' | 'randomBytes'>
  readonly log: Pick<Log, 'error' | 'warn'>
  readonly announce: AnnounceJob
}

/** The results of a framework, and those before. */
type FrameworkResults = {
  readonly framework: string
  readonly before: readonly ControlResult[] | undefined
  readonly controls: readonly ControlResult[]
}

/** Who assesses, as the audit trail says. */
const server = { type: 'system', id: 'compliance', email: undefined } as const

/**
 * Collects evidence, the jobs of a tenant one after the other. The results of each framework are stored as they are made, so a
 * job that a killed process left goes on with the frameworks that lack them. Each tenant is assessed once a day by itself.
 */
export class EvidenceCollector {
  readonly #deps: CollectorDeps
  readonly #turns: TenantTurns

  constructor(deps: CollectorDeps) {
    this.#deps = deps
    const serve = (tenant: TenantId): Promise<boolean> => this.#carryOutAll(tenant)
    this.#turns = new TenantTurns({ serve, failure: 'a collection of evidence waits', log: deps.log })
  }

  /** A tenant has a job that waits. */
  wake(tenant: TenantId): void {
    this.#turns.wake(tenant)
  }

  /** The job that takes up what waits, and begins what is due. */
  createJob(): ScheduledJob {
    const { checkMs, firstMs } = limits
    return {
      name: 'compliance', everyMs: checkMs, afterStartMs: firstMs, failure: 'evidence could not be collected',
      run: async () => {
        for (const { id, isActive } of await this.#deps.state.tenants.list()) {
          if (isActive) await this.#beginIfDue(id)
        }
        await this.untilIdle()
      },
    }
  }

  untilIdle(): Promise<void> {
    return this.#turns.untilIdle()
  }

  /** Ends after the framework in hand; the job goes on at the next start. */
  stop(): Promise<void> {
    return this.#turns.stop()
  }

  async #beginIfDue(tenant: TenantId): Promise<void> {
    const { state: { compliance }, clock } = this.#deps
    const { everyMs, rangeMs, historyMs, removedMax } = limits
    const at = clock.now()
    const [waiting] = await compliance.unfinishedJobs(tenant)
    if (waiting === undefined) {
      // One from the future was made by a wrong clock, and does not count.
      const last = await compliance.lastJob(tenant, at)
      if (last !== undefined && at - last.requestedAt < everyMs) return
      await compliance.begin(tenant, {
        id: createUuidV7(at, clock.randomBytes), status: 'queued', frameworks: allFrameworks, controls: [], from: at - rangeMs, to: at,
        requestedBy: '', requestedAt: at, finishedAt: undefined, progress: 0, result: undefined, error: '',
      })
      await compliance.removeOld(tenant, { before: at - historyMs, limit: removedMax })
    }
    this.wake(tenant)
  }

  /** What fails is kept with its job. */
  async #carryOutAll(tenant: TenantId): Promise<boolean> {
    for (const job of await this.#deps.state.compliance.unfinishedJobs(tenant)) {
      if (!this.#turns.signal.aborted) await this.#carryOut(tenant, job)
    }
    return false
  }

  async #carryOut(tenant: TenantId, begun: EvidenceJob): Promise<void> {
    const { state: { compliance }, clock, log } = this.#deps
    const running: EvidenceJob = { ...begun, status: 'running' }
    await compliance.saveJob(tenant, running)
    this.#announce(tenant, begun.id, 'running')
    try {
      await this.#assess(tenant, running)
    } catch (error) {
      // A server that stops goes on with it at the next start.
      if (this.#turns.signal.aborted) return
      const message = getErrorMessage(error)
      log.error('evidence could not be collected', { tenant, job: begun.id, error: message })
      await compliance.saveJob(tenant, {
        ...running, status: 'failed', finishedAt: clock.now(), error: message.slice(0, limits.errorLengthMax),
      })
      this.#announce(tenant, begun.id, 'failed')
    }
  }

  #announce(tenant: TenantId, id: string, status: 'running' | 'succeeded' | 'failed', progress = 0): void {
    this.#deps.announce(tenant, { job: 'evidence', id, status, progress })
  }

  async #assess(tenant: TenantId, job: EvidenceJob): Promise<void> {
    const { state, gather, clock } = this.#deps
    const { compliance } = state
    const signal = AbortSignal.any([this.#turns.signal, AbortSignal.timeout(limits.gatherMs)])
    const snapshot = await gather(tenant, { at: clock.now(), from: job.from, to: job.to, signal })
    const done: FrameworkResults[] = []
    for (const [index, framework] of job.frameworks.entries()) {
      if (this.#turns.signal.aborted) return
      const catalogue = findCatalogue(framework)
      if (catalogue === undefined) throw new Error(`there is no framework ${framework}`)
      const stored = await compliance.getAssessment(tenant, framework)
      const previous = stored?.jobId === job.id ? await compliance.getAssessment(tenant, framework, stored.at - 1) : stored
      if (stored?.jobId === job.id) {
        done.push({ framework, before: previous?.controls, controls: stored.controls })
        continue
      }
      const attestations = await compliance.listAttestations(tenant, framework)
      const assessment = assessFramework({ catalogue, maps: controlMaps, signals, snapshot, attestations, previous })
      const sha256 = createHash('sha256').update(printCanonically(assessment)).digest('hex')
      await compliance.saveAssessment(tenant, { ...assessment, jobId: job.id, sha256 })
      const progress = Math.floor(((index + 1) / job.frameworks.length) * 99)
      await compliance.saveJob(tenant, { ...job, progress })
      this.#announce(tenant, job.id, 'running', progress)
      done.push({ framework, before: previous?.controls, controls: assessment.controls })
    }
    await this.#finish(tenant, job, done)
  }

  async #finish(tenant: TenantId, job: EvidenceJob, done: readonly FrameworkResults[]): Promise<void> {
    const { state, clock } = this.#deps
    const isWanted = ({ control }: { readonly control: string }) => job.controls.length === 0 || job.controls.includes(control)
    const results = done.flatMap(({ controls }) => controls.filter(isWanted))
    const changed = done.flatMap(({ framework, before, controls }) => findChanges(framework, before, controls)).filter(isWanted)
    const result = {
      controlsAssessed: results.filter(({ status }) => status !== 'not_assessed').length,
      evidenceItems: results.reduce((sum, { signals: each }) => sum + each.reduce((count, { evidence }) => count + evidence.length, 0), 0),
      changed: changed.slice(0, limits.changesMax),
    }
    const finishedAt = clock.now()
    await state.transaction(async (stores) => {
      await stores.compliance.saveJob(tenant, { ...job, status: 'succeeded', progress: 100, finishedAt, result })
      const hashes = await Promise.all(job.frameworks.map(async (framework) =>
        [framework, (await stores.compliance.getAssessment(tenant, framework))?.sha256 ?? ''] as const))
      await stores.audit.append(tenant, {
        at: finishedAt, actor: server, action: 'compliance.assess', target: { type: 'evidence_job', id: job.id },
        ip: undefined, userAgent: undefined, requestId: undefined, outcome: 'success',
        diff: { sha256: Object.fromEntries(hashes), controls_assessed: result.controlsAssessed },
      })
    })
    this.#announce(tenant, job.id, 'succeeded', 100)
  }
}
