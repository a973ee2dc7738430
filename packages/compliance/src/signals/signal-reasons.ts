import type { LocalText } from '../catalogues/read-catalogue.ts'
import type { sourceClasses } from './snapshot.ts'

/** Why a signal has no value or is held down, as a sentence in each language; `{name}` stands for a value. */
const sentences = {
  no_reading: { en: 'the platform has no such data', ko: '플랫폼에 해당 데이터가 없습니다' },
  no_assets: { en: 'no asset is known', ko: '알려진 자산이 없습니다' },
  no_events: {
    en: 'no event was evaluated since the rules were loaded', ko: '규칙을 불러온 이후 평가된 이벤트가 없습니다',
  },
  classes_not_seen: { en: 'not seen: {classes}', ko: '수신되지 않음: {classes}' },
  no_stored_events: { en: 'no event is stored', ko: '저장된 이벤트가 없습니다' },
  events_too_young: {
    en: 'the oldest event is younger than the retention says', ko: '가장 오래된 이벤트가 보존 기간보다 최근의 것입니다',
  },
  no_trail: { en: 'the audit trail has no entries', ko: '감사 기록이 비어 있습니다' },
  no_clocks: {
    en: 'no clock of a collector was compared within a day', ko: '하루 안에 시각을 비교한 수집기가 없습니다',
  },
  no_techniques: { en: 'no rule is about a technique', ko: '기법을 다루는 규칙이 없습니다' },
  observed_too_short: { en: 'less than a day was observed', ko: '관찰 기간이 하루가 되지 않습니다' },
  no_alerts: { en: 'no such alert in 30 days', ko: '30일간 해당 경보가 없습니다' },
  no_closed_incidents: { en: 'no incident was closed in 90 days', ko: '90일간 종결된 사고가 없습니다' },
  overdue_findings: { en: '{count} critical findings are overdue', ko: '기한이 지난 심각 취약점 {count}건' },
  no_malware_telemetry: {
    en: 'no telemetry of malware protection arrives', ko: '악성코드 방지 로그가 수신되지 않습니다',
  },
  no_users: { en: 'there are no users', ko: '사용자가 없습니다' },
  dormant_access: {
    en: '{users} dormant users, {keys} keys past their end', ko: '휴면 사용자 {users}명, 만료된 키 {keys}개',
  },
  no_channels: { en: 'there is no notification channel', ko: '알림 채널이 없습니다' },
  no_tested_channels: { en: 'no channel was ever tested', ko: '시험한 알림 채널이 없습니다' },
  no_due_requests: { en: 'no request fell due in 365 days', ko: '365일간 기한이 된 요청이 없습니다' },
} as const satisfies { readonly [code: string]: LocalText }

type ReasonCode = keyof typeof sentences

/** The names of the values in a sentence. */
type ValueNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | ValueNames<Rest> : never

type ReasonValue = number | readonly string[]

/** Why a signal has no value, or what holds its status down: a code, and the values of its sentence. */
export type SignalReason = {
  readonly [Code in ReasonCode]: [ValueNames<(typeof sentences)[Code]['en']>] extends [never]
    ? { readonly code: Code }
    : { readonly code: Code; readonly values: { readonly [Name in ValueNames<(typeof sentences)[Code]['en']>]: ReasonValue } }
}[ReasonCode]

/** The codes of all reasons. */
export const reasonCodes = Object.keys(sentences) as readonly ReasonCode[]

const classNames: { readonly [name: string]: LocalText } = {
  authentication: { en: 'authentication', ko: '인증' },
  endpoint: { en: 'endpoint', ko: '엔드포인트' },
  network: { en: 'network', ko: '네트워크' },
  administration: { en: 'administration', ko: '관리' },
} satisfies { readonly [name in (typeof sourceClasses)[number]]: LocalText }

/** A reason in both languages. Assessments stored by earlier versions have it as English text, which stays as it is. */
export function printReason(reason: SignalReason | string): LocalText {
  if (typeof reason === 'string') return { en: reason, ko: reason }
  return { en: fillSentence(reason, 'en'), ko: fillSentence(reason, 'ko') }
}

function fillSentence(reason: SignalReason, language: keyof LocalText): string {
  const values: { readonly [name: string]: ReasonValue } = 'values' in reason ? reason.values : {}
  return sentences[reason.code][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => printValue(values[name], language))
}

function printValue(value: ReasonValue | undefined, language: keyof LocalText): string {
  if (typeof value === 'number') return String(value)
  return (value ?? []).map((name) => classNames[name]?.[language] ?? name).join(', ')
}
