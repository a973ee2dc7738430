import { beforeAll, expect, test } from 'vitest'
import { loadLanguage } from '../../../i18n/translate.ts'
import { printWarnings } from './print-warnings.ts'

beforeAll(() => loadLanguage('en'))

test.for<[warnings: string[], text: string]>([
  [[], ''],
  [['invalid_attribute:level'], 'Not valid, and taken as if it were not there: level.'],
  [
    ['missing_attribute:title', 'invalid_attribute:tags', 'invalid_attribute:date'],
    'Not valid, and taken as if it were not there: tags, date. Missing: title.',
  ],
  [['tests_failed:1', 'deprecated_rule_enabled'], '1 of its tests fails. It is on, although its status is deprecated.'],
  [['tests_failed:2', 'later_note:x'], '2 of its tests fail. The server notes: later_note:x.'],
])('%j reads %j', ([warnings, text]) => {
  expect(printWarnings(warnings)).toBe(text)
})
