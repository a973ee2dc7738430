import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes, usageError } from '@tripline/common/exit-error'
import { sleep } from '@tripline/common/sleep'
import { hostname } from 'node:os'
import { readSource } from '../config/read-config.ts'
import { createSource } from '../sources/create-source.ts'
import { defineCollectorCommand } from './command.ts'
import type { CollectorCommand } from './command.ts'

const eventsMax = 3

/** Runs a source for a moment without keeping anything, and shows its first events. */
export const testCommand: CollectorCommand = defineCollectorCommand({
  name: 'test',
  summary: 'Checks a file of sources.d, runs it for a moment, shows its events.',
  operands: { usage: '<file>', help: 'The file of the source. Nothing of what it reads is kept or sent.' },
  options: {
    seconds: { kind: 'text', value: '<n>', default: '10', help: 'For how long the source runs at most.' },
    json: { kind: 'flag', help: 'Prints one JSON object: {"type","name","connection","warnings","events"}.' },
  },
  notes: ['Exit codes: 0 the source works; 1 it does not, or its file is invalid; 2 wrong arguments.'],
  run: async ({ operands: [path = '', second], options: { seconds, json: isJson } }, io) => {
    if (second !== undefined) throw usageError('one file is taken')
    const maxMs = Number(seconds) * 1_000
    if (!(maxMs > 0 && maxMs <= 3_600_000)) throw usageError(`option '--seconds' is '${seconds}'; it takes a number from 1 to 3600`)
    const config = await readSource(path, io.environment).catch((error: unknown) => {
      throw new ExitError(exitCodes.refused, `configuration: fail: ${getErrorMessage(error)}`, { cause: error })
    })
    if (!isJson) io.printLine(`configuration: pass: ${config.type} '${config.name}'`)
    const ending = new AbortController()
    const seen: string[] = []
    const problems: string[] = []
    let isHealthy = false
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const running = createSource(config)({
      name: config.name, position: undefined, hostname: hostname(), now: io.now, elapsedMs: io.elapsedMs, log,
      append: (lines) => {
        isHealthy = true
        seen.push(...lines.slice(0, eventsMax - seen.length).map((line) => Buffer.from(line).toString('utf8')))
        if (seen.length >= eventsMax) ending.abort()
        return Promise.resolve()
      },
      waitForRoom: () => Promise.resolve(), countDropped: (count, reason) => void problems.push(`${count} dropped: ${reason}`),
      reportHealthy: () => (isHealthy = true),
      sleep,
    }, ending.signal)
    const timer = setTimeout(() => ending.abort(), maxMs)
    let failure: string | undefined
    try {
      await running
    } catch (error) {
      failure = getErrorMessage(error)
    } finally {
      clearTimeout(timer)
    }
    if (failure !== undefined && !isHealthy) throw new ExitError(exitCodes.refused, `connection: fail: ${failure}`)
    const connection = isHealthy ? 'pass' : `no answer within ${seconds} s`
    const warnings = [...new Set(problems)]
    const lines = isJson ? [printJson({ type: config.type, name: config.name, connection, warnings }, seen)] : [
      `connection: ${connection}`, ...warnings.map((warning) => `events: warn: ${warning}`),
      seen.length === 0 ? 'events: none came' : `events: the first ${seen.length}`, ...seen,
    ]
    for (const line of lines) io.printLine(line)
    return isHealthy ? exitCodes.ok : exitCodes.refused
  },
})

/** One object; the events, which are JSON already, stand in it as they are. */
function printJson(report: object, events: readonly string[]): string {
  return `${JSON.stringify(report).slice(0, -1)},"events":[${events.join(',')}]}`
}
