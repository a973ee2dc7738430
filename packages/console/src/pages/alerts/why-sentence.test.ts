import { expect, test } from 'vitest'
import { enAlertPanel } from '../../i18n/en/alert-panel.ts'
import { addTexts } from '../../i18n/translate.ts'
import { describeComparison, describeOperator } from './why-sentence.tsx'

addTexts(enAlertPanel)

test.for([
  ['eq', 'is'],
  ['contains|all', 'contains'],
  ['startswith|cased', 'begins with'],
  ['lt', '<'],
  ['hour|lt', 'hour <'],
  ['base64offset|contains', 'base64offset contains'],
  ['future', 'future'],
])('the operator %s is %s in a sentence', ([op = '', text]) => {
  expect(describeOperator(op)).toBe(text)
})

test.for<[op: string, pattern: string, words: string, value: string]>([
  ['eq', '*Accepted password*', 'contains', 'Accepted password'],
  ['eq', '*\\tool.exe', 'ends with', '\\tool.exe'],
  ['eq|cased', 'svc-*', 'begins with', 'svc-'],
  ['eq', 'SERVICE_STOP', 'is', 'SERVICE_STOP'],
  // A star that is escaped is one.
  ['contains', 'W3SVC1\\\\\\*.log', 'contains', 'W3SVC1\\*.log'],
  ['eq', 'a\\*', 'is', 'a*'],
  ['endswith', '\\tool.exe', 'ends with', '\\tool.exe'],
  // Other wildcards and nothing but one stay as they are written.
  ['eq', '*a*b*', 'is', '*a*b*'],
  ['eq', 'a?*', 'is', 'a?*'],
  ['eq', '*', 'is', '*'],
  ['contains', '*a*', 'contains', '*a*'],
  ['re', '.*a*', 'matches', '.*a*'],
])('%s %s reads as %s %s', ([op, pattern, words, value]) => {
  expect(describeComparison(op, pattern)).toEqual([words, value])
})
