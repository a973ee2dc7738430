import type { ExplanationBody } from '@tripline/contract/console/rule'
import { beforeAll, expect, test } from 'vitest'
import { loadLanguage } from '../../../i18n/translate.ts'
import { chooseLogsource, describeAlert } from './describe-alert.ts'

beforeAll(() => loadLanguage('en'))

const windows = { category: '', product: 'windows', service: '' }
const creation = { category: 'process_creation', product: 'windows', service: '' }
const alert = { rule_title: 'Tool', severity: 'high' } as const
const compare = (field: string | null, actual: unknown, result = true): ExplanationBody => {
  return { field, op: 'endswith', pattern: 'x', actual, result, reason: '' }
}
const join = (node: string, children: readonly ExplanationBody[], result = true): ExplanationBody => ({ node, result, children })
const fields = { Image: String.raw`C:\a*.exe`, CommandLine: 'a -x', Computer: 'ws-1', User: 'eve', EventID: 1, tags: ['a'] }

test.for<[what: string, explanation: ExplanationBody | undefined, finds: readonly [string, unknown][]]>([
  ['what matched, with the values of the event', join('and', [compare('Image', fields.Image), compare('EventID', null)]), [
    ['Image', fields.Image], ['EventID', 1],
  ]],
  ['each field once', join('and', [compare('CommandLine', 'a -x'), compare('CommandLine', 'a -x')]), [['CommandLine', 'a -x']]],
  ['nothing that a not excludes or that failed', join('and', [
    compare('CommandLine', 'a -x'), join('not', [compare('User', 'eve', false)]), join('or', [compare('Image', 'b', false)], false),
  ]), [['CommandLine', 'a -x']]],
  ['what says most, where only a keyword matched', compare(null, 'a -x'), [
    ['Image', fields.Image], ['CommandLine', 'a -x'], ['EventID', 1],
  ]],
  ['the same where nothing is explained', undefined, [['Image', fields.Image], ['CommandLine', 'a -x'], ['EventID', 1]]],
  ['no list, and no text that is too long', join('and', [compare('tags', ['a']), compare('Image', 'x'.repeat(4_001)), compare('EventID', 1)]), [
    ['EventID', 1],
  ]],
])('finds %s', ([, explanation, finds]) => {
  const request = describeAlert(alert, explanation, { fields, logsources: [windows, creation] })
  const values = typeof request.finds === 'string' ? [] : request.finds
  expect(values.map(({ field, value }) => [field, value])).toEqual(finds)
  expect(request.head).toEqual({
    title: 'Like the alert Tool', level: 'high', logsource: { category: 'process_creation', product: 'windows' },
  })
})

test('an informational rule drafts an informational one, of an event without a log source', () => {
  const { head } = describeAlert({ ...alert, severity: 'low', severity_raw: 'info' }, undefined, { fields, logsources: [] })
  expect(head).toMatchObject({ level: 'informational', logsource: { category: 'process_creation', product: 'windows' } })
  expect(chooseLogsource([windows])).toEqual({ product: 'windows' })
})
