import { expect, test } from 'vitest'
import { RefusedError } from './demo-client.ts'
import { createRefusalPrinter } from './print-refusals.ts'

const refuse = (status: number, request: number): Error => new RefusedError(status, `answered ${status}: request ${request}`)

test.for<[title: string, errors: readonly Error[], printed: readonly string[]]>([
  ['a connector that is off is named once', [refuse(401, 1), refuse(401, 2)], ["tripline: the connector 'Sample events' is switched off"]],
  ['refusals of one kind are one', [refuse(503, 1), refuse(503, 2)], ['tripline: answered 503: request 1']],
  ['other reasons are more', [refuse(503, 1), new Error('no answer'), refuse(503, 2)],
    ['tripline: answered 503: request 1', 'tripline: no answer', 'tripline: answered 503: request 2']],
])('%s', ([, errors, printed]) => {
  const lines: string[] = []
  const print = createRefusalPrinter((line) => lines.push(line))
  for (const error of errors) print(error)
  expect(lines).toEqual(printed.map((line) => expect.stringContaining(line)))
})
