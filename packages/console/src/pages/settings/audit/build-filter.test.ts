import { afterEach, expect, test } from 'vitest'
import { koAudit } from '../../../i18n/ko/settings/audit.ts'
import { addTexts } from '../../../i18n/translate.ts'
import { buildAuditFilter } from './build-filter.ts'
import { enAudit } from '../../../i18n/en/settings/audit.ts'

const ann = { id: 'u-1', email: 'ann@example.org', name: 'Ann Meier' }
afterEach(() => addTexts(enAudit))

const raw = (text: string) => ['action', 'actor', 'target_id'].map((field) => ({ field, op: 'contains', value: text }))
const build = (text: string, outcome?: 'refused'): unknown =>
  JSON.parse(buildAuditFilter({ text, outcome, people: [ann] }) ?? 'null')

test('all entries need no filter', () => expect(build('')).toBe(null))

test.for([
  ['password changed', [{ field: 'action', op: 'in', value: ['user.change_password'] }]],
  ['RULE: CHANGED', [{ field: 'action', op: 'in', value: ['rule.update'] }]],
  ['ann@', ['actor', 'target_id'].map((field) => ({ field, op: 'in', value: ['u-1'] }))],
  ['rule.update', []],
] as const)('%s finds what the table shows, and what the server calls so', ([text, found]) => {
  expect(build(text)).toEqual({ and: [{ or: [...raw(text), ...found] }] })
})

test('the words are those of the language that is shown', () => {
  addTexts(koAudit)
  expect(build('비밀번호 변경', 'refused')).toEqual({
    and: [
      { or: [...raw('비밀번호 변경'), { field: 'action', op: 'in', value: ['user.change_password'] }] },
      { field: 'outcome', op: 'eq', value: 'refused' },
    ],
  })
})

test('many users, and all actions, fit into one filter of 8 KiB', () => {
  const people = Array.from({ length: 200 }, () => ({ ...ann, id: '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001' }))
  expect(buildAuditFilter({ text: 'e', outcome: 'refused', people })!.length).toBeLessThan(8_192)
})
