import { expect, test } from 'vitest'
import { rateSignal } from './define-signal.ts'
import type { Signal, SignalStatus } from './define-signal.ts'
import { printReason, reasonCodes } from './signal-reasons.ts'
import type { SignalReason } from './signal-reasons.ts'
import { signals } from './signals.ts'
import type { PlatformSnapshot, Readings } from './snapshot.ts'

const dayMs = 86_400_000
const at = Date.UTC(2026, 0, 31)
const ago = (days: number) => at - days * dayMs

type Row = { [Name in keyof Readings]: readonly [string, Name, Readings[Name], number | undefined, SignalStatus] }[keyof Readings]

const rows: readonly Row[] = [
  ['S1', 'logCoverage', { assets: 20, reporting: 19 }, 95, 'pass'],
  ['S1', 'logCoverage', { assets: 1_000, reporting: 949 }, 94.9, 'partial'],
  ['S1', 'logCoverage', { assets: 2, reporting: 0 }, 0, 'fail'],
  ['S1', 'logCoverage', { assets: 0, reporting: 0 }, undefined, 'no_data'],
  ['S2', 'sourceClasses', { eventsMet: 9, seen: ['authentication', 'endpoint', 'network', 'administration'] }, 4, 'pass'],
  ['S2', 'sourceClasses', { eventsMet: 9, seen: ['endpoint'] }, 1, 'partial'],
  ['S2', 'sourceClasses', { eventsMet: 9, seen: [] }, 0, 'fail'],
  ['S2', 'sourceClasses', { eventsMet: 0, seen: [] }, undefined, 'no_data'],
  ['S6', 'detection', { eventsMet: 0, techniquesWanted: 10, techniquesCovered: 0 }, undefined, 'no_data'],
  ['S11', 'malware', { eventsMet: 0, hasTelemetry: false, rules: 3 }, undefined, 'no_data'],
  ['S3', 'retention', { keptDays: 400, oldestEventAt: ago(399), firstEventAt: ago(500) }, 400, 'pass'],
  ['S3', 'retention', { keptDays: 400, oldestEventAt: ago(10), firstEventAt: ago(10) }, 400, 'pass'],
  ['S3', 'retention', { keptDays: 400, oldestEventAt: ago(30), firstEventAt: ago(500) }, 30, 'fail'],
  ['S3', 'retention', { keptDays: 90, oldestEventAt: ago(90), firstEventAt: ago(500) }, 90, 'partial'],
  ['S3', 'retention', { keptDays: 400, oldestEventAt: undefined, firstEventAt: undefined }, undefined, 'no_data'],
  ['S4', 'auditTrail', { isIntact: true, entries: 3, verifiedAt: at }, 1, 'pass'],
  ['S4', 'auditTrail', { isIntact: false, entries: 3, verifiedAt: at }, 0, 'fail'],
  ['S4', 'auditTrail', { isIntact: true, entries: 0, verifiedAt: at }, undefined, 'no_data'],
  ['S5', 'clocks', { compared: 1_000, withinSecond: 989 }, 98.9, 'partial'],
  ['S5', 'clocks', { compared: 0, withinSecond: 0 }, undefined, 'no_data'],
  ['S6', 'detection', { eventsMet: 9, techniquesWanted: 10, techniquesCovered: 8 }, 80, 'pass'],
  ['S6', 'detection', { eventsMet: 9, techniquesWanted: 10, techniquesCovered: 3 }, 30, 'fail'],
  ['S7', 'pipelineGaps', { observedMinutes: 43_200, gapMinutes: 60 }, 60, 'pass'],
  ['S7', 'pipelineGaps', { observedMinutes: 43_200, gapMinutes: 61 }, 61, 'partial'],
  ['S7', 'pipelineGaps', { observedMinutes: 43_200, gapMinutes: 1_441 }, 1_441, 'fail'],
  ['S7', 'pipelineGaps', { observedMinutes: 1_439, gapMinutes: 0 }, undefined, 'no_data'],
  ['S8', 'acknowledgement', { due: 3, inTime: 3 }, 100, 'pass'],
  ['S8', 'acknowledgement', { due: 0, inTime: 0 }, undefined, 'no_data'],
  ['S9', 'incidents', { closed: 10, complete: 7 }, 70, 'partial'],
  ['S10', 'scans', { assets: 10, fresh: 10, overdueCriticals: 0 }, 100, 'pass'],
  ['S10', 'scans', { assets: 10, fresh: 10, overdueCriticals: 1 }, 100, 'partial'],
  ['S10', 'scans', { assets: 10, fresh: 1, overdueCriticals: 1 }, 10, 'fail'],
  ['S11', 'malware', { eventsMet: 9, hasTelemetry: true, rules: 3 }, 2, 'pass'],
  ['S11', 'malware', { eventsMet: 9, hasTelemetry: false, rules: 3 }, 1, 'partial'],
  ['S11', 'malware', { eventsMet: 9, hasTelemetry: false, rules: 0 }, 0, 'fail'],
  ['S12', 'access', { users: 2, strong: 2, dormant: 0, expiredKeys: 0 }, 100, 'pass'],
  ['S12', 'access', { users: 2, strong: 2, dormant: 0, expiredKeys: 1 }, 100, 'partial'],
  ['S12', 'access', { users: 2, strong: 1, dormant: 0, expiredKeys: 0 }, 50, 'fail'],
  ['S13', 'notifications', { channels: 1, lastTestedAt: ago(30) }, 30, 'pass'],
  ['S13', 'notifications', { channels: 1, lastTestedAt: ago(91) }, 91, 'fail'],
  ['S13', 'notifications', { channels: 1, lastTestedAt: undefined }, undefined, 'no_data'],
  ['S13', 'notifications', { channels: 0, lastTestedAt: undefined }, undefined, 'no_data'],
  ['S14', 'subjectRequests', { due: 20, inTime: 19 }, 95, 'partial'],
  ['S15', 'inventory', { assets: 3, owned: 2 }, 66.6, 'partial'],
]

test.for(rows)('%s: %s %j is %s, %s', ([id, name, data, value, status]) => {
  const snapshot: PlatformSnapshot = { at, readings: { [name]: { data, evidence: [{ kind: name, ref: '/v1/x', at, sha256: '00' }] } } }
  const signal = find(id)
  const result = rateSignal(signal, signal.measure(snapshot))
  expect(result).toMatchObject({ signal: id, value, status, absence: value === undefined ? 'empty' : undefined })
  expect(result.evidence).toHaveLength(1)
})

test.for(signals)('$id says that data is missing where nothing can be read', (signal) => {
  const result = rateSignal(signal, signal.measure({ at, readings: {} }))
  expect(result).toMatchObject({ value: undefined, status: 'no_data', absence: 'missing', evidence: [] })
})

/** A result under the data of a reading. */
function measure([id, name, data]: Row) {
  const snapshot: PlatformSnapshot = { at, readings: { [name]: { data, evidence: [] } } }
  const signal = find(id)
  return rateSignal(signal, signal.measure(snapshot))
}

test('a reason is data, which both languages print', () => {
  const results = [...rows.map(measure), ...signals.map((signal) => rateSignal(signal, signal.measure({ at, readings: {} })))]
  const stated = results.flatMap(({ reason }) => (reason === undefined || typeof reason === 'string' ? [] : [reason]))
  const unstated: readonly SignalReason[] = [{ code: 'no_techniques' }, { code: 'no_closed_incidents' }, { code: 'no_users' }, { code: 'no_due_requests' }, { code: 'no_clocks' }]
  expect(new Set([...stated, ...unstated].map(({ code }) => code))).toEqual(new Set(reasonCodes))
  for (const { en, ko } of [...stated, ...unstated].map(printReason)) {
    expect(en).not.toMatch(/[{}]|\p{Script=Hangul}/u)
    expect(ko).toMatch(/^[^{}]*\p{Script=Hangul}[^{}]*$/u)
  }
})

test.for<readonly [SignalReason | string, string, string]>([
  [{ code: 'classes_not_seen', values: { classes: ['network', 'administration'] } }, 'not seen: network, administration', '수신되지 않음: 네트워크, 관리'],
  [{ code: 'dormant_access', values: { users: 2, keys: 0 } }, '2 dormant users, 0 keys past their end', '휴면 사용자 2명, 만료된 키 0개'],
  ['no event is stored', 'no event is stored', 'no event is stored'],
])('%j is printed as %s', ([reason, en, ko]) => {
  expect(printReason(reason)).toEqual({ en, ko })
})

test('there are fifteen signals, each with a title in two languages and ordered thresholds', () => {
  expect(signals.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, index) => `S${index + 1}`))
  for (const { title, better, thresholds } of signals) {
    expect(title.ko).toMatch(/\p{Script=Hangul}/u)
    expect(better === 'more' ? thresholds.pass >= thresholds.partial : thresholds.pass <= thresholds.partial).toBe(true)
  }
})

function find(id: string): Signal {
  const signal = signals.find((one) => one.id === id)
  if (signal === undefined) throw new Error(`there is no signal ${id}`)
  return signal
}
