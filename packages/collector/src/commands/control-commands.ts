import { jsonErrors } from '@tripline/common/command-line/print-error'
import { ExitError, exitCodes, usageError } from '@tripline/common/exit-error'
import { readConfiguration } from '../config/read-config.ts'
import { askCollector } from '../control/control-client.ts'
import { configOption, defineCollectorCommand } from './command.ts'
import type { CollectorCommand } from './command.ts'

/** Has the running collector read its files again. */
export const reloadCommand: CollectorCommand = defineCollectorCommand({
  name: 'reload',
  summary: 'Has the running collector read its configuration again.',
  options: { ...configOption, json: { kind: 'flag', help: 'Prints one JSON object: {"ok"}.' } },
  notes: ['With any error the old configuration goes on.', 'Exit codes: 0 read; 1 refused, or no collector runs; 2 wrong arguments.'],
  run: async ({ options }, io) => {
    // A configuration that is invalid here names a socket that may be wrong: the collector would not take it either.
    const { controlSocket } = await readConfiguration(options.config, io.environment).catch((error: unknown) => {
      throw new ExitError(exitCodes.refused, error instanceof Error ? error.message : String(error), { cause: error })
    })
    for await (const reply of askCollector(controlSocket, { command: 'reload' })) {
      if (typeof reply['error'] === 'string') throw new ExitError(exitCodes.refused, reply['error'])
      io.printLine(options.json ? JSON.stringify(reply) : String(reply['ok']))
    }
    return exitCodes.ok
  },
})

/** Shows what the running collector does. */
export const statusCommand: CollectorCommand = defineCollectorCommand({
  name: 'status',
  summary: 'Shows the connection, the buffer and each source.',
  options: { ...configOption, json: { kind: 'flag', help: 'Prints one JSON object.' } },
  notes: ['Exit codes: 0 shown; 1 no collector runs; 2 wrong arguments; 78 the configuration is invalid.'],
  run: async ({ options }, io) => {
    const { controlSocket } = await readConfiguration(options.config, io.environment)
    for await (const reply of askCollector(controlSocket, { command: 'status' })) {
      if (typeof reply['error'] === 'string') throw new ExitError(exitCodes.refused, reply['error'])
      if (options.json) io.printLine(JSON.stringify(reply))
      else for (const line of printStatus(reply)) io.printLine(line)
    }
    return exitCodes.ok
  },
})

/** Shows the log of the running collector. */
export const logsCommand: CollectorCommand = defineCollectorCommand({
  name: 'logs',
  summary: 'Shows the last lines of the log.',
  options: {
    ...configOption,
    follow: { kind: 'flag', short: 'f', help: 'Goes on with lines as they are written, until Ctrl-C.' },
    lines: { kind: 'text', short: 'n', value: '<n>', default: '50', help: 'How many lines.' },
    source: { kind: 'text', value: '<name>', help: 'Only the lines of this source.' },
    json: jsonErrors,
  },
  notes: ['Exit codes: 0 shown; 1 no collector runs; 2 wrong arguments; 78 the configuration is invalid.'],
  run: async ({ options: { config, follow, lines, source } }, io) => {
    const count = Number(lines)
    if (!Number.isSafeInteger(count) || count < 0) throw usageError(`option '--lines' is '${lines}'; it takes a number of lines`)
    const { controlSocket } = await readConfiguration(config, io.environment)
    const request = { command: 'logs', count, follow, source }
    for await (const entry of askCollector(controlSocket, request)) io.printLine(JSON.stringify(entry))
    return exitCodes.ok
  },
})

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
