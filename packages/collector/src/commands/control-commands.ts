import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { readConfiguration } from '../config/read-config.ts'
import { askCollector } from '../control/control-client.ts'
import type { CollectorCommand } from './command.ts'

/** Has the running collector read its files again. */
export const reloadCommand: CollectorCommand = {
  summary: 'Reads the configuration again; with any error the old one goes on.', usage: '', options: {}, wordCount: 0,
  run: async ({ config }, io) => {
    // A configuration that is invalid here names a socket that may be wrong: the collector would not take it either.
    const { controlSocket } = await readConfiguration(config, io.environment).catch((error: unknown) => {
      throw new ExitError(exitCodes.refused, error instanceof Error ? error.message : String(error), { cause: error })
    })
    for await (const reply of askCollector(controlSocket, { command: 'reload' })) {
      if (typeof reply['error'] === 'string') throw new ExitError(exitCodes.refused, reply['error'])
      io.printLine(String(reply['ok']))
    }
    return exitCodes.ok
  },
}

/** Shows what the running collector does. */
export const statusCommand: CollectorCommand = {
  summary: 'Shows the connection, the buffer and each source.', usage: '[--json]', options: { json: { type: 'boolean' } }, wordCount: 0,
  run: async ({ config, options }, io) => {
    const { controlSocket } = await readConfiguration(config, io.environment)
    for await (const reply of askCollector(controlSocket, { command: 'status' })) {
      if (typeof reply['error'] === 'string') throw new ExitError(exitCodes.refused, reply['error'])
      if (options['json'] === true) io.printLine(JSON.stringify(reply))
      else for (const line of printStatus(reply)) io.printLine(line)
    }
    return exitCodes.ok
  },
}

/** Shows the log of the running collector. */
export const logsCommand: CollectorCommand = {
  summary: 'Shows the last lines of the log.', usage: '[-f] [-n N] [--source NAME]', wordCount: 0,
  options: { follow: { type: 'boolean', short: 'f' }, lines: { type: 'string', short: 'n' }, source: { type: 'string' } },
  run: async ({ config, options: { follow, lines = '50', source } }, io) => {
    const count = Number(lines)
    if (!Number.isSafeInteger(count) || count < 0) throw new ExitError(exitCodes.usage, '-n needs a number of lines')
    const { controlSocket } = await readConfiguration(config, io.environment)
    const request = { command: 'logs', count, follow: follow === true, source }
    for await (const entry of askCollector(controlSocket, request)) io.printLine(JSON.stringify(entry))
    return exitCodes.ok
  },
}

type Status = { readonly [name: string]: unknown }

function printStatus(status: Status): readonly string[] {
  const buffer = Object(status['buffer']) as Status
  const sources = status['sources'] as readonly Status[]
  const mebibytes = (bytes: unknown): string => (Number(bytes) / 1_048_576).toFixed(1)
  const fill = `${mebibytes(buffer['bytes'])} of ${mebibytes(buffer['capacity_bytes'])} MiB`
  return [
    `collector ${String(status['collector_id'])}, version ${String(status['version'])}, up ${String(status['uptime_seconds'])} s`,
    `server    ${String(status['server'])}: ${String(status['connection'])}`,
    `sent      ${String(status['events_sent'])} events, ${String(status['events_refused'])} refused`,
    `buffer    ${String(buffer['events'])} events, ${fill}, ${String(buffer['dropped_total'])} dropped`,
    ...sources.flatMap(({ name, type, status: state, events_total: total, dropped_total: dropped, last_error: error, warning }) => [
      `source    ${String(name)} (${String(type)}): ${String(state)}, ${String(total)} events, ${String(dropped)} dropped`,
      ...[error, warning].flatMap((text) => (typeof text === 'string' ? [`          ${text}`] : [])),
    ]),
  ]
}
