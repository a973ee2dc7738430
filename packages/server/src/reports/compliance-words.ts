import type { ReportLanguage } from '@tripline/model/report'

/** The words of a compliance report. */
const words = {
  title: { en: 'Compliance report', ko: '규정 준수 보고서' },
  tenant: { en: 'Tenant', ko: '테넌트' },
  assessedAt: { en: 'Assessed', ko: '평가 시각' },
  summary: { en: 'Summary', ko: '요약' },
  controls: { en: 'Controls', ko: '통제 항목' },
  appendix: { en: 'Evidence', ko: '증적' },
  score: { en: 'Score', ko: '점수' },
  share: { en: 'Assessed share', ko: '평가된 비율' },
  total: { en: 'Controls', ko: '통제 수' },
  status: { en: 'Status', ko: '상태' },
  method: { en: 'Method', ko: '방법' },
  control: { en: 'Control', ko: '통제' },
  name: { en: 'Title', ko: '제목' },
  signal: { en: 'Signal', ko: '신호' },
  value: { en: 'Value', ko: '값' },
  target: { en: 'Target', ko: '목표' },
  source: { en: 'Evidence', ko: '증적' },
  time: { en: 'Time', ko: '시각' },
  hash: { en: 'SHA-256', ko: 'SHA-256' },
  hashOfResults: { en: 'SHA-256 of the results', ko: '결과의 SHA-256' },
  compliant: { en: 'Compliant', ko: '준수' },
  partial: { en: 'Partial', ko: '부분 준수' },
  non_compliant: { en: 'Not compliant', ko: '미준수' },
  not_assessed: { en: 'Not assessed', ko: '평가되지 않음' },
  automatic: { en: 'automatic', ko: '자동' },
  manual: { en: 'manual', ko: '수동' },
  none: { en: 'none', ko: '없음' },
  pass: { en: 'pass', ko: '통과' },
  fail: { en: 'fail', ko: '실패' },
  no_data: { en: 'no data', ko: '데이터 없음' },
  attested: {
    en: 'Statuses of controls that no signal measures are attested by people.', ko: '신호로 측정되지 않는 통제의 상태는 사람이 확인합니다.',
  },
  machine: { en: 'Statuses are measured by the platform.', ko: '상태는 플랫폼이 측정합니다.' },
  onlyAutomated: {
    en: 'Automated evidence only: it shows what the platform measured at the stated time. It is no audit opinion and no certificate.',
    ko: '자동 수집된 증적만 포함합니다. 표시된 시각에 플랫폼이 측정한 값이며, 감사 의견이나 인증이 아닙니다.',
  },
  scoreOfShare: {
    en: 'The score is about the controls that were assessed, and says nothing about the others. A control without data is not assessed.',
    ko: '점수는 평가된 통제에 대한 것이며 나머지 통제에 대해서는 아무것도 말하지 않습니다. 데이터가 없는 통제는 평가되지 않은 것입니다.',
  },
  noEvidence: { en: 'There is no evidence.', ko: '증적이 없습니다.' },
} as const satisfies { readonly [name: string]: { readonly [language in ReportLanguage]: string } }

export type ComplianceWord = keyof typeof words

/** The words in one language. */
export function getComplianceWords(language: ReportLanguage): (word: ComplianceWord) => string {
  return (word) => words[word][language]
}
