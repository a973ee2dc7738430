import { expect, test } from 'vitest'
import { SubjectText } from './erasure.ts'

const subject = new SubjectText(['ann@example.org', String.raw`CORP\ann`, 'Ann-Sofie Åberg'])

test.for<[text: string, replaced: string]>([
  ['mail of Ann@Example.org, CORP\\ANN', 'mail of [erased], [erased]'],
  [JSON.stringify({ user: 'CORP\\ann', note: 'ann-sofie åberg' }), '{"user":"[erased]","note":"[erased]"}'],
  [JSON.stringify({ raw: JSON.stringify({ user: 'corp\\ann' }) }), '{"raw":"{\\"user\\":\\"[erased]\\"}"}'],
  ['another@example.org', 'another@example.org'],
])('%s', ([text, replaced]) => {
  expect([subject.replaceIn(text), subject.isIn(text)]).toEqual([replaced, text !== replaced])
})

test.for<[json: string, isIn: boolean]>([
  [String.raw`{"user":"\u0061nn@example.org"}`, true],
  [String.raw`{"user":"Ann-Sofie \u00C5berg"}`, true],
  [String.raw`{"ann@example.org":1}`, true],
  [String.raw`{"user":"\u0062ob"}`, false],
])('in an event: %s is %j', ([json, isIn]) => {
  expect(subject.isInEvent(json)).toBe(isIn)
})
