import { expect, test } from 'vitest'
import { enConnectors } from '../../i18n/en/connectors.ts'
import { addTexts } from '../../i18n/translate.ts'
import { printHealth } from './print-health.ts'

addTexts(enConnectors)

test.for([
  ['no event received yet', 'No event yet'],
  ['1 event in the last minute', '1 event in a minute'],
  ['1650 events in the last minute', '1,650 events in a minute'],
  ['connection refused', 'connection refused'],
])('%s is %s', ([message = '', text]) => {
  expect(printHealth(message)).toBe(text)
})
