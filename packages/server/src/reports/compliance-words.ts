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

/** The reasons of signals in Korean; a number or a list stands for what the sentence names. */
const koreanReasons: readonly (readonly [reason: RegExp, korean: string])[] = [
  [/^the platform has no such data$/, '플랫폼에 해당 데이터가 없습니다.'],
  [/^not seen: (.+)$/, '수신되지 않음: $1'],
  [/^no event is stored$/, '저장된 이벤트가 없습니다.'],
  [/^the oldest event is younger than the retention says$/, '가장 오래된 이벤트가 보존 기간보다 최근의 것입니다.'],
  [/^the audit trail has no entries$/, '감사 기록이 비어 있습니다.'],
  [/^less than a day was observed$/, '관찰 기간이 하루가 되지 않습니다.'],
  [/^(\d+) critical findings are overdue$/, '기한이 지난 심각 취약점 $1건'],
  [/^no telemetry of malware protection arrives$/, '악성코드 방지 로그가 수신되지 않습니다.'],
  [/^(\d+) dormant users, (\d+) keys past their end$/, '휴면 사용자 $1명, 만료된 키 $2개'],
  [/^there is no notification channel$/, '알림 채널이 없습니다.'],
  [/^no channel was ever tested$/, '시험한 알림 채널이 없습니다.'],
]

/** The reason of a signal in a language; as it is where it has no translation. */
export function printReason(reason: string, language: ReportLanguage): string {
  const found = language === 'ko' ? koreanReasons.find(([pattern]) => pattern.test(reason)) : undefined
  return found === undefined ? reason : reason.replace(...found)
}

export type ComplianceWord = keyof typeof words

/** The words in one language. */
export function getComplianceWords(language: ReportLanguage): (word: ComplianceWord) => string {
  return (word) => words[word][language]
}
