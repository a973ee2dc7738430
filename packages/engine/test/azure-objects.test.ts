import { expect, test } from 'vitest'
import { compileRules } from '../src/index.ts'
import { expectSameMatches } from './compare-push-paths.ts'

const rule = (selection: string) =>
  `title: "${selection}"\nlogsource: { product: azure, service: activitylogs }\ndetection: { s: ${selection}, condition: s }\n`
/** Each holds of the first event, and, where it reads no object, of the exported one. */
const rows: readonly (readonly [selection: string, rows: readonly number[]])[] = [
  ['{ operationName: MICROSOFT.COMPUTE/virtualMachines/delete }', [0, 1]],
  ["{ 'operationName|endswith': /delete }", [0, 1]],
  ["{ 'operationName|startswith': '{' }", []],
  ['{ operationName.value: Microsoft.Compute/virtualMachines/delete }', [0]],
  ['{ operationName.localizedValue: Delete Virtual Machine }', [0]],
  ['{ category: Administrative, status: Succeeded }', [0, 1]],
  ['{ properties.message: gone }', [0, 1]],
  ["{ 'subStatus|exists': true }", [0]],
  ["[ 'Delete Virtual' ]", [0]],
]

test.for(rows)('%s', ([selection, expected]) => {
  const { ruleSet } = compileRules(rule(selection))
  const object = (value: string, localizedValue = value) => ({ value, localizedValue })
  const operation = 'Microsoft.Compute/virtualMachines/delete'
  const shared = { resourceId: '/subscriptions/1/x', caller: 'alice', properties: { message: 'gone' } }
  const lines = [
    {
      ...shared, operationName: object(operation, 'Delete Virtual Machine'), category: object('Administrative'),
      status: object('Succeeded'), subStatus: object(''),
    },
    { ...shared, operationName: operation, category: 'Administrative', status: 'Succeeded' },
  ].map((event) => JSON.stringify(event))
  expect(expectSameMatches(ruleSet, lines).map((match) => 'row' in match && match.row)).toEqual(expected)
})
