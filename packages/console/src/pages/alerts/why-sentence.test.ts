import { expect, test } from 'vitest'
import { enAlertPanel } from '../../i18n/en/alert-panel.ts'
import { addTexts } from '../../i18n/translate.ts'
import { describeOperator } from './why-sentence.tsx'

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
