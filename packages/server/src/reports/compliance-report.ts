import type { ControlResult } from '@tripline/compliance/assess'
import { printReason } from '@tripline/compliance/signals/signal-reasons'
import { signals } from '@tripline/compliance/signals/signals'
import type { ReportLanguage } from '@tripline/model/report'
import type { FrameworkState } from '../compliance/compliance.ts'
import { getComplianceWords } from './compliance-words.ts'
import type { ComplianceWord } from './compliance-words.ts'
import type { Report, ReportTable } from './report.ts'

/** A framework that was assessed. */
export type AssessedFramework = FrameworkState & { readonly assessment: NonNullable<FrameworkState['assessment']> }

type AssessedControl = { readonly control: FrameworkState['catalogue']['controls'][number]; readonly result: ControlResult }

const statusColors = { compliant: '#1a7f37', partial: '#bf8700', non_compliant: '#cf222e', not_assessed: '#8c959f' } as const

/**
 * Makes the report of a framework from its newest assessment: the score with the share that it is about, every control with its
 * status, and the evidence of each with time and hash.
 */
export function createComplianceReport(
  { catalogue, assessment, coverage }: AssessedFramework,
  { language, tenant }: { readonly language: ReportLanguage; readonly tenant: string },
): Report {
  const word = getComplianceWords(language)
  const counts = {
    compliant: coverage.compliant, partial: coverage.partial, non_compliant: coverage.nonCompliant, not_assessed: coverage.notAssessed,
  }
  const results = new Map(assessment.controls.map((result) => [result.control, result]))
  const controls = catalogue.controls.flatMap((control) => {
    const result = results.get(control.id)
    return result === undefined ? [] : [{ control, result }]
  })
  const statuses = ['compliant', 'partial', 'non_compliant', 'not_assessed'] as const
  return {
    language,
    title: `${word('title')}: ${catalogue.name} ${catalogue.version}`,
    subtitle: [`${word('tenant')}: ${tenant}`, `${word('assessedAt')}: ${printInstant(assessment.at)}`],
    at: assessment.at,
    sections: [
      {
        title: word('summary'),
        blocks: [
          { kind: 'figures', figures: [
            { label: word('score'), value: `${coverage.score} %` },
            { label: word('share'), value: `${coverage.assessedShare} %` },
            { label: word('total'), value: String(coverage.totalControls) },
          ] },
          {
            kind: 'bar', label: word('status'),
            shares: statuses.map((status) => ({ label: word(status), count: counts[status], color: statusColors[status] })),
          },
          { kind: 'text', text: word('scoreOfShare') },
          { kind: 'text', text: word(catalogue.verification) },
          { kind: 'text', text: word('onlyAutomated') },
          { kind: 'text', text: `${word('hashOfResults')}: ${assessment.sha256}` },
        ],
      },
      { title: word('controls'), blocks: [listControls(controls, language, word)] },
      { title: word('appendix'), blocks: listEvidence(controls, language, word) },
    ],
  }
}

type Words = (word: ComplianceWord) => string

function listControls(controls: readonly AssessedControl[], language: ReportLanguage, word: Words): ReportTable {
  return {
    kind: 'table',
    columns: [
      { title: word('control'), share: 14 }, { title: word('name'), share: 52 },
      { title: word('status'), share: 20 }, { title: word('method'), share: 14 },
    ],
    rows: controls.map(({ control, result }) => [control.id, control.title[language], word(result.status), word(result.method)]),
  }
}

/** What each control that was measured rests on. A signal without evidence is listed with what it lacks. */
function listEvidence(controls: readonly AssessedControl[], language: ReportLanguage, word: Words): Report['sections'][number]['blocks'] {
  const rows = controls.flatMap(({ control, result }) => [
    ...result.signals.flatMap((signal) => listSignal(control.id, signal, language, word)),
    ...result.attestation === undefined ? [] : [[
      control.id, word('manual'), word(result.attestation.status), `${result.attestation.by}: ${printProof(result.attestation.proof)}`,
      printInstant(result.attestation.at), '',
    ]],
  ])
  if (rows.length === 0) return [{ kind: 'text', text: word('noEvidence') }]
  return [{
    kind: 'table',
    columns: [
      { title: word('control'), share: 11 }, { title: word('signal'), share: 22 },
      { title: `${word('value')} / ${word('target')}`, share: 15 },
      { title: word('source'), share: 18 }, { title: word('time'), share: 14 }, { title: word('hash'), share: 20 },
    ],
    rows,
  }]
}

function listSignal(
  control: string, { signal, value, target, status, reason, evidence }: ControlResult['signals'][number], language: ReportLanguage,
  word: Words,
): readonly (readonly string[])[] {
  const title = signals.find(({ id }) => id === signal)?.title[language] ?? ''
  const why = reason === undefined ? '' : printReason(reason)[language]
  const measured = `${value ?? '-'} / ${target}: ${word(status)}`
  if (evidence.length === 0) return [[control, `${signal} ${title}`, measured, why, '', '']]
  const explained = why === '' ? measured : `${measured} (${why})`
  return evidence.map(({ ref, at, sha256 }) => [control, `${signal} ${title}`, explained, ref, printInstant(at), sha256])
}

function printProof(proof: NonNullable<ControlResult['attestation']>['proof']): string {
  return 'url' in proof ? proof.url : `${proof.file} (${proof.sha256})`
}

function printInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
