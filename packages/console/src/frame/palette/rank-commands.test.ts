import { expect, test } from 'vitest'
import { rankCommands } from './rank-commands.ts'

const entries = ['Connectors', 'Alerts', 'Change the theme', 'Resolve alert'].map((label) => ({ label }))

test.for<[typed: string, labels: string[]]>([
  ['', ['Connectors', 'Alerts', 'Change the theme', 'Resolve alert']],
  ['al', ['Alerts', 'Resolve alert']],
  ['theme', ['Change the theme']],
  ['cnr', ['Connectors']],
  ['zzz', []],
])('%j finds %j', ([typed, labels]) => {
  expect(rankCommands(entries, typed).map(({ label }) => label)).toEqual(labels)
})
