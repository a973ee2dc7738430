import { beforeAll, expect, test } from 'vitest'
import { loadLanguage } from '../../../i18n/translate.ts'
import { printWarning } from './print-warning.ts'

beforeAll(() => loadLanguage('en'))

test.for([
  ['not_searchable_yet:1', '1 event that arrived just now is not found yet.'],
  ['not_searchable_yet:1500', '1,500 events that arrived just now are not found yet.'],
  ['lost_events:2', '2 events in this range can no longer be read.'],
  ['unreadable_events:1', '1 event in this range can no longer be read.'],
  ['damaged_blocks:1', '1 block of stored events cannot be read, and is left out.'],
  ['counts_partial', 'Counting ended before the range did: there may be more events, and the bars are too low.'],
  ['page_cut', 'The events of this page are large; further ones come with the next page.'],
  ['query:`User` is not known: did you mean `user`?', '`User` is not known: did you mean `user`?'],
  ['unknown_parameter:colour', 'unknown_parameter:colour'],
] as const)('%s', ([warning, text]) => {
  expect(printWarning(warning)).toBe(text)
})
