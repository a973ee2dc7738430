import { processRuntime } from '@tripline/common/runtime'
import type { Runtime } from '@tripline/common/runtime'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { logWarnings } from './log-warnings.ts'

/** A log that keeps its lines, and the runtime that it belongs to. */
function openLog(given: Pick<Runtime, 'onWarning'>) {
  const lines: string[] = []
  const io = { ...given, now: () => 0, logLine: (line: string) => void lines.push(line) }
  return { lines, end: logWarnings(io, createLog(io)) }
}

test('a warning of Node is a line of the log, and is printed as before once that has ended', async () => {
  const before = process.listeners('warning')
  const { lines, end } = openLog(processRuntime())
  const warned = once(process, 'warning')
  process.emitWarning('something will go away', 'DeprecationWarning', 'DEP9999')
  await warned
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'warn', message: 'Node warns: something will go away', name: 'DeprecationWarning' },
  ])
  end()
  expect(process.listeners('warning')).toEqual(before)
})

test.for<[title: string, name: string, frame: string, count: number]>([
  ['the timer of the Kafka client', 'TimeoutNegativeWarning', 'RequestQueue.scheduleCheckPendingRequests (requestQueue/index.js:317:37)', 0],
  ['another timer', 'TimeoutNegativeWarning', 'wait (pause.ts:1:1)', 1],
  ['another warning there', 'MaxListenersExceededWarning', 'RequestQueue.scheduleCheckPendingRequests (requestQueue/index.js:317:37)', 1],
])('%s is left out where it is known to be harmless', ([, name, frame, count]) => {
  const warning = Object.assign(new Error('-5 is a negative number.'), { name, stack: `${name}: -5 is a negative number.\n    at ${frame}` })
  const { lines } = openLog({
    onWarning: (listener) => {
      listener(warning)
      return () => {}
    },
  })
  expect(lines).toHaveLength(count)
})
