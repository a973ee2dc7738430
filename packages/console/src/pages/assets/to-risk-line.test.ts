import { expect, test } from 'vitest'
import { toRiskLine } from './to-risk-line.ts'

type Row = { readonly what: string; readonly risks: readonly (readonly [at: number, score: number])[]; readonly line: string }

test.for<Row>([
  { what: 'no score', risks: [], line: '1000:- 9000:-' },
  { what: 'one from before the interval', risks: [[500, 40]], line: '1000:40 9000:40' },
  { what: 'the last of several from before', risks: [[400, 10], [500, 40]], line: '1000:40 9000:40' },
  { what: 'one that began within', risks: [[3_000, 40]], line: '1000:- 3000:40 9000:40' },
  { what: 'one that changed within', risks: [[500, 40], [3_000, 70]], line: '1000:40 2999:40 3000:70 9000:70' },
  { what: 'two within a moment of each other', risks: [[500, 40], [3_000, 70], [3_001, 80]], line: '1000:40 2999:40 3000:70 3001:80 9000:80' },
  { what: 'one of now', risks: [[9_000, 40]], line: '1000:- 9000:40' },
])('$what', ({ risks, line }) => {
  const stated = risks.map(([at, score]) => ({ at: new Date(at).toISOString(), score, level: 'low' as const }))
  const { times, scores } = toRiskLine(stated, { from: 1_000, to: 9_000 })
  expect(times.map((time, index) => `${time}:${scores[index] ?? '-'}`).join(' ')).toBe(line)
})
