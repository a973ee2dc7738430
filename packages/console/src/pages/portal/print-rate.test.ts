import { afterEach, expect, test } from 'vitest'
import { enPortal } from '../../i18n/en/portal.ts'
import { koPortal } from '../../i18n/ko/portal.ts'
import { addTexts } from '../../i18n/translate.ts'
import { printRate } from './print-rate.ts'

addTexts(enPortal)
afterEach(() => addTexts(enPortal))

test.for([
  [0, '0 events/s'],
  [0.001, '<0.1 events/s'],
  [0.049, '<0.1 events/s'],
  [0.05, '0.1 events/s'],
  [2.71, '2.7 events/s'],
  [1_234, '1,234 events/s'],
] as const)('%d events by second are %s', ([rate, text]) => {
  expect(printRate(rate)).toBe(text)
})

test('less than the last digit is said in words of the language', () => {
  addTexts(koPortal)
  expect([printRate(0.001), printRate(2.71)]).toEqual(['초당 0.1개 미만', '초당 이벤트 2.7개'])
})
