import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { hostname } from 'node:os'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { readSource } from '../config/read-config.ts'
import { createSource } from '../sources/create-source.ts'
import type { CollectorCommand } from './command.ts'

const eventsMax = 3

/** Runs a source for a moment without keeping anything, and shows its first events. */
export const testCommand: CollectorCommand = {
  summary: 'Checks a file of sources.d, runs the source for a moment and shows its first events.',
  usage: '[--seconds N] FILE', wordCount: 1,
  options: { seconds: { type: 'string' } },
  run: async ({ words: [path = ''], options: { seconds = '10' } }, io) => {
    const config = await readSource(path, io.environment).catch((error: unknown) => {
      throw new ExitError(exitCodes.refused, `configuration: fail: ${getErrorMessage(error)}`, { cause: error })
    })
    io.printLine(`configuration: pass: ${config.type} '${config.name}'`)
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
      sleep: async (delayMs, signal) => await sleepFor(delayMs, undefined, { signal }).catch(() => {}),
    }, ending.signal)
    const timer = setTimeout(() => ending.abort(), Number(seconds) * 1_000)
    let failure: string | undefined
    try {
      await running
    } catch (error) {
      failure = getErrorMessage(error)
    } finally {
      clearTimeout(timer)
    }
    if (failure !== undefined && !isHealthy) throw new ExitError(exitCodes.refused, `connection: fail: ${failure}`)
    io.printLine(isHealthy ? 'connection: pass' : `connection: no answer within ${seconds} s`)
    for (const problem of new Set(problems)) io.printLine(`events: warn: ${problem}`)
    io.printLine(seen.length === 0 ? 'events: none came' : `events: the first ${seen.length}`)
    for (const event of seen) io.printLine(event)
    return isHealthy ? exitCodes.ok : exitCodes.refused
  },
}
