import { expect, test } from 'vitest'
import { enAudit } from '../../../i18n/en/settings/audit.ts'
import { koAudit } from '../../../i18n/ko/settings/audit.ts'
import { addTexts } from '../../../i18n/translate.ts'
import { printDetails } from './print-details.ts'

test.for([
  { diff: { comment: [null, 'we tested it'] }, text: 'comment: – → we tested it' },
  { diff: { roles: [[], ['viewer', 'analyst']], name: [null, 'Bob'] }, text: 'roles: – → viewer, analyst · name: – → Bob' },
  { diff: { expires_at: [null, 1_795_996_800_000] }, text: 'expires at: – → 2026-11-30 00:00:00 UTC' },
  { diff: { from: '2026-11-30T08:00:00.000Z', found: 24_587 }, text: 'from: 2026-11-30 08:00:00 UTC · found: 24587' },
  { diff: { enabled: [true, false], note: '' }, text: 'enabled: yes → no' },
  { diff: { settings: [null, { type: 'webhook' }] }, text: 'settings: – → {"type":"webhook"}' },
])('details are printed as $text', ({ diff, text }) => {
  expect(printDetails(diff)).toBe(text)
})

test('their names are those of the language that is shown; one without is as the server has it', () => {
  addTexts(koAudit)
  expect(printDetails({ from: '2026-11-30T08:00:00.000Z', found: 3, enabled: [null, true], other_word: 1 }))
    .toBe('시작: 2026-11-30 08:00:00 UTC · 찾은 수: 3 · 켜짐: – → 예 · other word: 1')
  addTexts(enAudit)
})
