import { expect, test } from 'vitest'
import {
  findIncidentStatuses, incidentStatuses, isBackwards, listIncidentStatusWords, printIncidentStatus, resolveIncidentStatus,
} from './incident-status.ts'
import type { IncidentStatus } from './incident-status.ts'

const views = ['console', 'a', 'b'] as const

test.for(views)('%s: each word means a status that shows as it, and each status is found by its word', (view) => {
  for (const word of listIncidentStatusWords(view)) {
    for (const current of incidentStatuses) {
      const written = resolveIncidentStatus(view, current, word)
      expect(written && printIncidentStatus(view, written)).toBe(word)
    }
  }
  for (const status of incidentStatuses) {
    expect(findIncidentStatuses(view, printIncidentStatus(view, status))).toContain(status)
    expect(resolveIncidentStatus(view, status, printIncidentStatus(view, status))).toBe(status)
  }
})

test.for<[view: (typeof views)[number], words: string]>([
  ['console', 'open investigating contained eradicated recovered closed'],
  ['a', 'OPEN CONTAINED ERADICATED RECOVERED CLOSED'],
  ['b', 'open investigating contained resolved closed'],
])('the words of %s', ([view, words]) => {
  expect(listIncidentStatusWords(view).join(' ')).toBe(words)
})

test.for<[view: (typeof views)[number], current: IncidentStatus, word: string, status: IncidentStatus | undefined]>([
  ['a', 'investigating', 'OPEN', 'investigating'],
  ['a', 'closed', 'OPEN', 'open'],
  ['b', 'eradicated', 'contained', 'eradicated'],
  ['b', 'open', 'contained', 'contained'],
  ['b', 'open', 'resolved', 'recovered'],
  ['b', 'open', 'recovered', undefined],
  ['a', 'open', 'open', undefined],
  ['console', 'open', 'eradicated', 'eradicated'],
])('%s writes on %s: %s', ([view, current, word, status]) => {
  expect(resolveIncidentStatus(view, current, word)).toBe(status)
})

test('going back is reopening', () => {
  expect(isBackwards('closed', 'open')).toBe(true)
  expect(isBackwards('open', 'closed')).toBe(false)
  expect(isBackwards('contained', 'contained')).toBe(false)
})
