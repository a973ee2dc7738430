import type { Attestation, ControlResult } from '@tripline/compliance/assess'
import { catalogues, findCatalogue } from '@tripline/compliance/catalogues/catalogues'
import type { Catalogue } from '@tripline/compliance/catalogues/read-catalogue'
import { countControls } from '@tripline/compliance/count-controls'
import { controlMaps } from '@tripline/compliance/maps/control-maps'
import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { suggestName } from '@tripline/engine'
import type { Principal } from '@tripline/model/access/principal'
import type { ControlNote, EvidenceJob } from '@tripline/model/compliance/evidence-job'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { StoredAssessment } from '@tripline/state/ports/compliance-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { checkVersion, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { VersionedPatch } from '@tripline/state/ports/version-conflict'
import { nameActor } from '../audit/name-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { allFrameworks } from './all-frameworks.ts'
import type { EvidenceCollector } from './evidence-collector.ts'
import { limits } from './limits.ts'

/** What compliance needs of the server. */
export type ComplianceDeps = {
  readonly state: StateStore
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
  readonly collector: Pick<EvidenceCollector, 'wake'>
}

/** A framework with its newest results; none before the first assessment. */
export type FrameworkState = {
  readonly catalogue: Catalogue
  readonly assessment: StoredAssessment | undefined
  readonly coverage: ReturnType<typeof countControls>
}

/** A control with its newest result and what people added. */
export type ControlState = {
  readonly control: Catalogue['controls'][number]
  readonly result: ControlResult
  readonly note: Omit<ControlNote, 'control'>
  readonly attestation: Attestation | undefined
  /** The token of its framework. */
  readonly framework: string
}

/** The nine frameworks with their newest results. */
export async function listFrameworks(deps: ComplianceDeps, tenant: TenantId): Promise<readonly FrameworkState[]> {
  return await Promise.all(catalogues.map(({ token }) => getFramework(deps, tenant, token)))
}

/** A framework by any spelling of its token, with its newest results, or those of an instant. @throws AppError NOT_FOUND. */
export async function getFramework(
  { state }: Pick<ComplianceDeps, 'state'>, tenant: TenantId, token: string, at?: number,
): Promise<FrameworkState> {
  const catalogue = requireCatalogue(token)
  const assessment = await state.compliance.getAssessment(tenant, catalogue.token, at)
  const controls = assessment?.controls ?? catalogue.controls.map(({ id }) => notAssessed(catalogue, id))
  return { catalogue, assessment, coverage: countControls(controls) }
}

/** The controls of a framework, in its order, and when they were assessed; undefined before the first assessment. */
type ControlList = { readonly framework: string; readonly assessedAt: number | undefined; readonly controls: readonly ControlState[] }

/** The controls of a framework by any spelling of its token. @throws AppError NOT_FOUND. */
export async function listControls(deps: ComplianceDeps, tenant: TenantId, token: string): Promise<ControlList> {
  const { catalogue, assessment } = await getFramework(deps, tenant, token)
  const results = new Map(assessment?.controls.map((result) => [result.control, result]))
  const notes = new Map((await deps.state.compliance.listNotes(tenant, catalogue.token)).map((note) => [note.control, note]))
  const attestations = new Map((await deps.state.compliance.listAttestations(tenant, catalogue.token)).map((one) => [one.control, one]))
  const controls = catalogue.controls.map((control) => ({
    control,
    result: results.get(control.id) ?? notAssessed(catalogue, control.id),
    note: notes.get(control.id) ?? { owner: '', note: '', version: 0 },
    attestation: attestations.get(control.id),
    framework: catalogue.token,
  }))
  return { framework: catalogue.token, assessedAt: assessment?.at, controls }
}

/** @throws AppError NOT_FOUND for a framework or control that there is not. */
export async function getControl(deps: ComplianceDeps, tenant: TenantId, token: string, id: string): Promise<ControlState> {
  const { control } = findControl(token, id)
  const { controls } = await listControls(deps, tenant, token)
  return requireFound(controls.find((one) => one.control.id === control.id), 'control')
}

type NotePatch = { readonly owner?: string | undefined; readonly note?: string | undefined }

/** Changes owner or note of a control. @throws AppError NOT_FOUND; PRECONDITION_FAILED for another version. */
export async function noteControl(
  deps: ComplianceDeps, caller: Principal, { token, id }: ControlRef, { patch, versions }: VersionedPatch<NotePatch>,
): Promise<ControlState> {
  const { catalogue, control } = findControl(token, id)
  const { tenant } = caller
  const at = deps.clock.now()
  await deps.state.transaction(async (stores) => {
    const before = (await stores.compliance.listNotes(tenant, catalogue.token)).find((one) => one.control === control.id)
      ?? { owner: '', note: '', version: 0 }
    checkVersion(before, versions, 'control')
    const change = { control: control.id, ...patch }
    const after = unwrapChange(
      await stores.compliance.updateNote(tenant, catalogue.token, change, { at, expectedVersion: before.version }), 'control',
    )
    if (after.version === before.version) return
    const diff = { owner: [before.owner, after.owner], note: [before.note, after.note] }
    await recordAudit(stores, caller, { at, action: 'compliance.note', target: targetOf(catalogue, control.id), diff })
  })
  return await getControl(deps, tenant, token, id)
}

export type ControlRef = { readonly token: string; readonly id: string }

type NewAttestation = Pick<Attestation, 'expiresAt' | 'note' | 'proof' | 'status'>

/**
 * Attests to a control in the caller's name, in place of an earlier attestation.
 *
 * @throws AppError NOT_FOUND; INVALID_PARAMETER for an end in the past or more than 365 days ahead.
 */
export async function attestControl(
  deps: ComplianceDeps, caller: Principal, { token, id }: ControlRef, stated: NewAttestation,
): Promise<Attestation> {
  const { catalogue, control } = findControl(token, id)
  const { tenant } = caller
  const at = deps.clock.now()
  if (stated.expiresAt <= at || stated.expiresAt > at + limits.attestationMsMax) {
    const reason = 'an attestation ends in the future, at most 365 days ahead'
    throw new AppError('INVALID_PARAMETER', `expires_at: ${reason}`, { parameter: 'expires_at', reason })
  }
  return await deps.state.transaction(async (stores) => {
    const attestation: Attestation = { ...stated, control: control.id, by: await nameActor(stores, caller), at }
    await stores.compliance.putAttestation(tenant, catalogue.token, attestation)
    const diff = { status: [null, stated.status], expires_at: [null, stated.expiresAt], proof: [null, stated.proof] }
    await recordAudit(stores, caller, { at, action: 'compliance.attest', target: targetOf(catalogue, control.id), diff })
    return attestation
  })
}

/** Withdraws an attestation. @throws AppError NOT_FOUND where there is none. */
export async function withdrawAttestation(deps: ComplianceDeps, caller: Principal, { token, id }: ControlRef): Promise<void> {
  const { catalogue, control } = findControl(token, id)
  await deps.state.transaction(async (stores) => {
    const isRemoved = await stores.compliance.removeAttestation(caller.tenant, catalogue.token, control.id)
    requireFound(isRemoved ? control : undefined, 'attestation')
    await recordAudit(stores, caller, { at: deps.clock.now(), action: 'compliance.withdraw', target: targetOf(catalogue, control.id) })
  })
}

/** What to collect; everything of the last 30 days by default. */
type CollectionRequest = {
  readonly frameworks?: readonly string[] | undefined
  readonly controls?: readonly string[] | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/**
 * Begins a collection of evidence.
 *
 * @throws AppError INVALID_PARAMETER for an unknown framework or control, or a range that is empty or too long; CONFLICT with
 *   the id of the job that waits or runs.
 */
export async function collectEvidence(
  { state, clock, randomBytes, collector }: ComplianceDeps, caller: Principal, request: CollectionRequest,
): Promise<EvidenceJob> {
  const at = clock.now()
  const { to = at } = request
  const { from = to - limits.rangeMs } = request
  if (from >= to || to > at || to - from > limits.rangeMsMax) {
    throw invalid('from', "it must be before 'to', which is not in the future, and at most 400 days before it")
  }
  const frameworks = request.frameworks === undefined || request.frameworks.length === 0
    ? allFrameworks
    : [...new Set(request.frameworks.map((token) => {
      const found = findCatalogue(token)
      if (found === undefined) throw invalid('frameworks', explainUnknown(token), { value: token, allowed: allFrameworks })
      return found.token
    }))]
  const controls = request.controls ?? []
  const known = new Set(frameworks.flatMap((token) => findCatalogue(token)?.controls.map(({ id }) => id) ?? []))
  const unknown = controls.find((id) => !known.has(id))
  if (unknown !== undefined) {
    throw invalid('controls', `no framework that is assessed has the control ${unknown}`, { value: unknown })
  }
  return await state.transaction(async (stores) => {
    const job: EvidenceJob = {
      id: createUuidV7(at, randomBytes), status: 'queued', frameworks, controls, from, to, requestedBy: await nameActor(stores, caller),
      requestedAt: at, finishedAt: undefined, progress: 0, result: undefined, error: '',
    }
    const begun = await stores.compliance.begin(caller.tenant, job)
    if (begun !== 'begun') {
      const message = 'evidence is being collected already; wait for the job that runs'
      throw new AppError('CONFLICT', message, { job_id: begun.id })
    }
    const target = { type: 'evidence_job', id: job.id }
    await recordAudit(stores, caller, { at, action: 'compliance.collect', target, diff: { frameworks: [null, frameworks] } })
    return job
  }).then((job) => {
    collector.wake(caller.tenant)
    return job
  })
}

/** @throws AppError NOT_FOUND. */
export async function getEvidenceJob({ state }: ComplianceDeps, tenant: TenantId, id: string): Promise<EvidenceJob> {
  return requireFound(await state.compliance.getJob(tenant, id), 'evidence job')
}

/** @throws AppError NOT_FOUND, which names the frameworks that there are. */
function requireCatalogue(token: string): Catalogue {
  const catalogue = findCatalogue(token)
  if (catalogue === undefined) throw new AppError('NOT_FOUND', explainUnknown(token))
  return catalogue
}

function explainUnknown(token: string): string {
  const hint = suggestName(token, allFrameworks)
  return `there is no framework '${token}'; the frameworks are ${allFrameworks.join(', ')}${hint === undefined ? '' : `; ${hint}`}`
}

function findControl(token: string, id: string): { readonly catalogue: Catalogue; readonly control: Catalogue['controls'][number] } {
  const catalogue = requireCatalogue(token)
  const control = catalogue.controls.find((one) => one.id.toLowerCase() === id.toLowerCase())
  return { catalogue, control: requireFound(control, 'control') }
}

function notAssessed({ token }: Catalogue, control: string): ControlResult {
  const isAssessable = controlMaps[token]?.[control] !== undefined
  return { control, status: 'not_assessed', method: 'none', isAssessable, signals: [], lostSince: undefined }
}

function targetOf({ token }: Catalogue, control: string): { readonly type: string; readonly id: string } {
  return { type: 'control', id: `${token}/${control}` }
}

type Refused = { readonly value?: string; readonly allowed?: readonly string[] }

function invalid(parameter: string, reason: string, refused: Refused = {}): AppError {
  return new AppError('INVALID_PARAMETER', `${parameter}: ${reason}`, { parameter, reason, ...refused })
}
