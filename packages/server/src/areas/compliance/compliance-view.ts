import type { Attestation, ControlResult } from '@tripline/compliance/assess'
import type { LocalText } from '@tripline/compliance/catalogues/read-catalogue'
import type { SignalResult } from '@tripline/compliance/signals/define-signal'
import { printReason } from '@tripline/compliance/signals/signal-reasons'
import { signals, unitTexts } from '@tripline/compliance/signals/signals'
import type { ControlBody, ControlListBody, EvidenceJobBody } from '@tripline/contract/console/response/compliance'
import type {
  PublicControl, PublicControlDetail, PublicCoverage, PublicEvidenceJob, PublicFramework,
} from '@tripline/contract/public/compliance'
import type { EvidenceJob } from '@tripline/model/compliance/evidence-job'
import type { ControlState, FrameworkState } from '../../compliance/compliance.ts'
import { countEvidence } from '../../compliance/count-evidence.ts'
import type { MappedRules, MonitoringRule } from '../../compliance/map-rules.ts'
import { limits } from '../../compliance/limits.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'

const signalsById = new Map(signals.map((signal) => [signal.id, signal]))

/** The numbers of a framework, as the console shows them. */
export function printFrameworkNumbers({ assessment, coverage }: FrameworkState) {
  const { totalControls, nonCompliant, notAssessed, assessable, assessedShare, ...rest } = coverage
  return {
    ...rest, total_controls: totalControls, non_compliant: nonCompliant, not_assessed: notAssessed, assessable_controls: assessable,
    assessed_share: assessedShare, assessed_at: printInstant(assessment?.at),
  }
}

export function printFramework(state: FrameworkState) {
  const { token: id, name, version, verification } = state.catalogue
  return { id, name, version, verification, ...printFrameworkNumbers(state) }
}

export function toPublicFramework({ catalogue, assessment, coverage }: FrameworkState): PublicFramework {
  const { token: id, name, version, verification } = catalogue
  const { totalControls, assessable, score, assessedShare } = coverage
  return {
    id, name, version, verification, score, total_controls: totalControls, assessable_controls: assessable, assessed_share: assessedShare,
    last_assessed_at: assessment?.at ?? null,
  }
}

export function toPublicCoverage(state: FrameworkState): PublicCoverage {
  const { assessable_controls: _assessable, assessed_at: _at, ...numbers } = printFrameworkNumbers(state)
  return { framework: state.catalogue.token, ...numbers, assessed_at: state.assessment?.at ?? null }
}

type Row = ControlListBody['controls'][number]

export function printControlRow(state: ControlState, mapped: MappedRules): Row {
  const { control: { id, title, category }, result, note } = state
  const { last_evidence_at, ...rest } = describe(state, mapped)
  const texts = listReasons(result)
  return {
    id, title, category, ...rest, reasons: texts.map(({ en }) => en), reason_texts: texts,
    last_evidence_at: printInstant(last_evidence_at ?? undefined), owner: note.owner, note: note.note,
    lost_since: printInstant(result.lostSince),
  }
}

export function printControl(state: ControlState, mapped: MappedRules): ControlBody {
  return {
    ...printControlRow(state, mapped), framework: state.framework,
    signals: state.result.signals.map(({ signal: id, value = null, target, status, reason, evidence }) => {
      const { title, unit } = getSignal(id)
      const text = reason === undefined ? null : printReason(reason)
      return {
        id, title, unit, unit_text: unitTexts[unit], value, target, status, reason: text?.en ?? null, reason_text: text,
        evidence: evidence.map((one) => ({ ...one, at: formatTimestamp(one.at) })),
      }
    }),
    monitoring_rules: listMonitoringRules(state, mapped),
    attestation: state.attestation === undefined ? null : printAttestation(state.attestation),
  }
}

export function printAttestation({ status, by, at, expiresAt, note, proof }: Attestation): NonNullable<ControlBody['attestation']> {
  return { status, by, at: formatTimestamp(at), expires_at: formatTimestamp(expiresAt), note, proof }
}

export function toPublicControl(state: ControlState, mapped: MappedRules): PublicControl {
  const { control: { id, title, category }, note: { owner, note }, result } = state
  const reasons = listReasons(result).map(({ en }) => en)
  return { id, title: title.en, category: category.en, ...describe(state, mapped), reasons, owner, note }
}

export function toPublicControlDetail(state: ControlState, mapped: MappedRules): PublicControlDetail {
  return {
    ...toPublicControl(state, mapped),
    signals: state.result.signals.map(({ signal: id, value = null, target, status, reason, evidence }) => {
      const { title, unit } = getSignal(id)
      return { id, title: title.en, unit, value, target, status, reason: reason === undefined ? null : printReason(reason).en, evidence }
    }),
    monitoring_rules: listMonitoringRules(state, mapped),
  }
}

/** The first rules that are monitoring evidence for a control; `mapped_rules` counts all. */
function listMonitoringRules({ framework, control: { id } }: ControlState, mapped: MappedRules) {
  const rules: readonly MonitoringRule[] = mapped.list(framework, id).slice(0, limits.monitoringRulesMax)
  return rules.map((rule) => ({ ...rule, techniques: [...rule.techniques] }))
}

export function toPublicJob(job: EvidenceJob): PublicEvidenceJob {
  const { id, status, frameworks, progress, requestedAt, finishedAt = null, result, error } = job
  return {
    job_id: id, status, frameworks, progress, requested_at: requestedAt, finished_at: finishedAt,
    status_url: `/api/v1/compliance/evidence/jobs/${id}`, result: printResult(result), error: error === '' ? null : error,
  }
}

export function printJob(job: EvidenceJob): EvidenceJobBody {
  const { requested_at, finished_at, result, frameworks, ...rest } = toPublicJob(job)
  return {
    ...rest, frameworks: [...frameworks], requested_by: job.requestedBy === '' ? null : job.requestedBy,
    requested_at: formatTimestamp(requested_at), finished_at: printInstant(finished_at ?? undefined),
    status_url: `/v1/compliance/evidence/jobs/${job.id}`, result: result && { ...result, changed: [...result.changed] },
  }
}

function printResult(result: EvidenceJob['result']): PublicEvidenceJob['result'] {
  if (result === undefined) return null
  return { controls_assessed: result.controlsAssessed, evidence_items: result.evidenceItems, changed: result.changed }
}

type Description = Pick<PublicControl, 'assessable' | 'evidence_count' | 'last_evidence_at' | 'mapped_rules' | 'method' | 'status'>

function describe({ framework, control: { id }, result, attestation }: ControlState, mapped: MappedRules): Description {
  const evidence = countEvidence(result, attestation)
  return {
    status: result.status, method: result.method, assessable: result.isAssessable, evidence_count: evidence.count,
    last_evidence_at: evidence.lastAt ?? null, mapped_rules: mapped.count(framework, id),
  }
}

/** One sentence for each signal that does not pass, and for lost evidence. */
function listReasons({ signals: results, lostSince }: ControlResult): LocalText[] {
  const reasons = results.filter(({ status }) => status !== 'pass').map(explainSignal)
  if (lostSince === undefined) return reasons
  const since = formatTimestamp(lostSince)
  return [{ en: `its evidence is lost since ${since}`, ko: `증적이 ${since}부터 없습니다` }, ...reasons]
}

function explainSignal({ signal: id, status, value, target, reason }: SignalResult): LocalText {
  const { title, unit } = getSignal(id)
  const text = reason === undefined ? undefined : printReason(reason)
  if (status === 'no_data') return { en: `${id} ${title.en}: ${text?.en ?? 'no data'}`, ko: `${id} ${title.ko}: ${text?.ko ?? '데이터 없음'}` }
  const [en, ko] = text === undefined ? ['', ''] : [` (${text.en})`, ` (${text.ko})`]
  const units = unitTexts[unit]
  return {
    en: `${id} ${title.en}: ${value} ${units.en}, target ${target}${en}`, ko: `${id} ${title.ko}: ${value}${units.ko}, 목표 ${target}${ko}`,
  }
}

function getSignal(id: string): (typeof signals)[number] {
  const signal = signalsById.get(id)
  if (signal === undefined) throw new Error(`there is no signal ${id}`)
  return signal
}

/** An instant as text; null where there is none. */
export function printInstant(at: number | undefined): string | null {
  return at === undefined ? null : formatTimestamp(at)
}
