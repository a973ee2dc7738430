import { expect, test } from 'vitest'
import { enAlerts } from '../../i18n/en/alerts.ts'
import { addTexts } from '../../i18n/translate.ts'
import { printAlertFilter } from './alert-figures.ts'

addTexts(enAlerts)

test.for([
  ['status', 'false_positive', 'False positive'],
  ['verdict', 'unreviewed', 'Unreviewed'],
  ['tactic', 'initial-access', 'Initial access'],
  ['assignee', 'none', 'Unassigned'],
  ['assignee', 'me', 'Mine'],
  ['assignee', 'ana@example.org', 'ana@example.org'],
  ['due', 'overdue', 'Overdue'],
  ['host', 'open', 'open'],
])('the filter %s of %s reads %s', ([filter = '', value = '', text]) => {
  expect(printAlertFilter(filter, value)).toBe(text)
})
