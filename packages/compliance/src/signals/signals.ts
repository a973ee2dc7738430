import type { LocalText } from '../catalogues/read-catalogue.ts'
import { defineSignal } from './define-signal.ts'
import type { Signal } from './define-signal.ts'
import type { SignalReason } from './signal-reasons.ts'
import { sourceClasses } from './snapshot.ts'

const dayMs = 86_400_000
/** Minutes of observation below which nothing is said of gaps. */
const observedMinutesMin = 1_440
const noEvents = { code: 'no_events' } as const

/** What values count, behind a number. */
export const unitTexts = {
  percent: { en: 'percent', ko: '%' }, days: { en: 'days', ko: '일' }, minutes: { en: 'minutes', ko: '분' },
  classes: { en: 'classes', ko: '종' }, checks: { en: 'checks', ko: '건' },
} as const satisfies { readonly [unit in Signal['unit']]: LocalText }

/** The signals S1 to S15. Their thresholds are ours; the control maps may state others. */
export const signals: readonly Signal[] = [
  defineSignal({
    id: 'S1', reading: 'logCoverage', unit: 'percent', better: 'more', thresholds: { pass: 95, partial: 50 },
    title: { en: 'Known assets that sent events within 24 hours', ko: '24시간 안에 이벤트를 보낸 자산' },
    answer: ({ assets, reporting }) => share(reporting, assets, { code: 'no_assets' }),
  }),
  defineSignal({
    id: 'S2', reading: 'sourceClasses', unit: 'classes', better: 'more', thresholds: { pass: sourceClasses.length, partial: 1 },
    title: { en: 'Required classes of log sources that arrive', ko: '수신되는 필수 로그 종류' },
    answer: ({ eventsMet, seen }) => {
      if (eventsMet === 0) return { empty: noEvents }
      const missing = sourceClasses.filter((name) => !seen.includes(name))
      const value = sourceClasses.length - missing.length
      return missing.length === 0 ? { value } : { value, reason: { code: 'classes_not_seen', values: { classes: missing } } }
    },
  }),
  defineSignal({
    id: 'S3', reading: 'retention', unit: 'days', better: 'more', thresholds: { pass: 365, partial: 90 },
    title: { en: 'Days that events are kept', ko: '이벤트 보존 일수' },
    answer: ({ keptDays, oldestEventAt, firstEventAt }, at) => {
      if (oldestEventAt === undefined) return { empty: { code: 'no_stored_events' } }
      // What is configured holds only as far as the oldest event does not contradict it.
      const expectedAt = Math.max(firstEventAt ?? oldestEventAt, at - keptDays * dayMs)
      if (oldestEventAt <= expectedAt + dayMs) return { value: keptDays }
      return { value: Math.floor((at - oldestEventAt) / dayMs), reason: { code: 'events_too_young' } }
    },
  }),
  defineSignal({
    id: 'S4', reading: 'auditTrail', unit: 'checks', better: 'more', thresholds: { pass: 1, partial: 1 },
    title: { en: 'The audit trail verifies', ko: '감사 기록의 무결성' },
    answer: ({ isIntact, entries }) => (entries === 0 ? { empty: { code: 'no_trail' } } : { value: isIntact ? 1 : 0 }),
  }),
  defineSignal({
    id: 'S5', reading: 'clocks', unit: 'percent', better: 'more', thresholds: { pass: 99, partial: 90 },
    title: { en: 'Collectors whose clock is within a second', ko: '시각 오차 1초 이내 수집기' },
    answer: ({ compared, withinSecond }) => share(withinSecond, compared, { code: 'no_clocks' }),
  }),
  defineSignal({
    id: 'S6', reading: 'detection', unit: 'percent', better: 'more', thresholds: { pass: 80, partial: 40 },
    title: { en: 'Wanted techniques with an enabled, healthy rule', ko: '정상 작동 규칙이 있는 대상 기법' },
    answer: ({ eventsMet, techniquesWanted, techniquesCovered }) =>
      eventsMet === 0 ? { empty: noEvents } : share(techniquesCovered, techniquesWanted, { code: 'no_techniques' }),
  }),
  defineSignal({
    id: 'S7', reading: 'pipelineGaps', unit: 'minutes', better: 'less', thresholds: { pass: 60, partial: 1_440 },
    title: { en: 'Minutes in 30 days without evaluation', ko: '30일간 평가가 멈춘 시간(분)' },
    answer: ({ observedMinutes, gapMinutes }) =>
      observedMinutes < observedMinutesMin ? { empty: { code: 'observed_too_short' } } : { value: gapMinutes },
  }),
  defineSignal({
    id: 'S8', reading: 'acknowledgement', unit: 'percent', better: 'more', thresholds: { pass: 95, partial: 80 },
    title: { en: 'High and critical alerts acknowledged in time', ko: '기한 내 확인된 높음·심각 경보' },
    answer: ({ due, inTime }) => share(inTime, due, { code: 'no_alerts' }),
  }),
  defineSignal({
    id: 'S9', reading: 'incidents', unit: 'percent', better: 'more', thresholds: { pass: 95, partial: 70 },
    title: { en: 'Closed incidents with timeline and resolution', ko: '경과와 해결이 기록된 종결 사고' },
    answer: ({ closed, complete }) => share(complete, closed, { code: 'no_closed_incidents' }),
  }),
  defineSignal({
    id: 'S10', reading: 'scans', unit: 'percent', better: 'more', thresholds: { pass: 95, partial: 50 },
    title: { en: 'Assets scanned within 30 days, no critical finding overdue', ko: '30일 내 점검 자산(기한 초과 심각 취약점 없음)' },
    answer: ({ assets, fresh, overdueCriticals }) => {
      const scanned = share(fresh, assets, { code: 'no_assets' })
      if ('empty' in scanned || overdueCriticals === 0) return scanned
      return { ...scanned, atBest: 'partial', reason: { code: 'overdue_findings', values: { count: overdueCriticals } } }
    },
  }),
  defineSignal({
    id: 'S11', reading: 'malware', unit: 'checks', better: 'more', thresholds: { pass: 2, partial: 1 },
    title: { en: 'Telemetry of malware protection, and rules that read it', ko: '악성코드 방지 로그와 탐지 규칙' },
    answer: ({ eventsMet, hasTelemetry, rules }) => (eventsMet === 0 ? { empty: noEvents } : {
      value: (hasTelemetry ? 1 : 0) + (rules > 0 ? 1 : 0),
      ...(!hasTelemetry && { reason: { code: 'no_malware_telemetry' } as const }),
    }),
  }),
  defineSignal({
    id: 'S12', reading: 'access', unit: 'percent', better: 'more', thresholds: { pass: 100, partial: 80 },
    title: { en: 'Users of the platform with single sign-on or a second factor', ko: '통합 로그인·다중 인증을 쓰는 플랫폼 사용자' },
    answer: ({ users, strong, dormant, expiredKeys }) => {
      const measured = share(strong, users, { code: 'no_users' })
      if ('empty' in measured || (dormant === 0 && expiredKeys === 0)) return measured
      return { ...measured, atBest: 'partial', reason: { code: 'dormant_access', values: { users: dormant, keys: expiredKeys } } }
    },
  }),
  defineSignal({
    id: 'S13', reading: 'notifications', unit: 'days', better: 'less', thresholds: { pass: 30, partial: 90 },
    title: { en: 'Days since a notification channel was tested', ko: '알림 채널 시험 후 경과 일수' },
    answer: ({ channels, lastTestedAt }, at) => {
      if (channels === 0) return { empty: { code: 'no_channels' } }
      if (lastTestedAt === undefined) return { empty: { code: 'no_tested_channels' } }
      return { value: Math.max(0, Math.floor((at - lastTestedAt) / dayMs)) }
    },
  }),
  defineSignal({
    id: 'S14', reading: 'subjectRequests', unit: 'percent', better: 'more', thresholds: { pass: 100, partial: 90 },
    title: { en: 'Requests of data subjects answered in time', ko: '기한 내 처리된 정보주체 요청' },
    answer: ({ due, inTime }) => share(inTime, due, { code: 'no_due_requests' }),
  }),
  defineSignal({
    id: 'S15', reading: 'inventory', unit: 'percent', better: 'more', thresholds: { pass: 95, partial: 50 },
    title: { en: 'Assets with an owner', ko: '소유자가 지정된 자산' },
    answer: ({ assets, owned }) => share(owned, assets, { code: 'no_assets' }),
  }),
]

/** A share in percent with one decimal, rounded down so that it reaches a bound only where it truly does. */
function share(part: number, whole: number, empty: SignalReason): { readonly value: number } | { readonly empty: SignalReason } {
  return whole === 0 ? { empty } : { value: Math.floor((part / whole) * 1_000) / 10 }
}
