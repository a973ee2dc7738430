import { getErrorMessage } from '@tripline/common/error-message'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { JournaldSourceConfig } from '../config/source-config.ts'
import { limits } from '../limits.ts'
import type { RunSource } from './source.ts'

const severities = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice', 'Informational', 'Debug']

/** Follows the journal of systemd by `journalctl`, from the entry behind the last one that is durable. */
export function createJournaldSource(config: JournaldSourceConfig): RunSource {
  const { journalctl, units = [], start_at: startAt, log_source: logsource } = config
  return async ({ position, append, waitForRoom, countDropped, reportHealthy }, signal) => {
    const cursor = typeof position?.['cursor'] === 'string' ? position['cursor'] : undefined
    const from = cursor !== undefined ? [`--after-cursor=${cursor}`] : startAt === 'end' ? ['--lines=0'] : ['--lines=all']
    const args = ['--follow', '--output=json', '--all', '--no-pager', ...from, ...units.flatMap((unit) => ['--unit', unit])]
    const child = spawn(journalctl, args, { stdio: ['ignore', 'pipe', 'pipe'], signal })
    const ended = Promise.withResolvers<string>()
    let problem = ''
    child.stderr.on('data', (chunk: Buffer) => (problem = `${problem}${chunk.toString('utf8')}`.slice(-500)))
    child.once('error', (error) => ended.resolve(getErrorMessage(error)))
    child.once('close', (code) => ended.resolve(`${journalctl} ended with ${code}: ${problem.trim()}`))
    child.once('spawn', reportHealthy)
    let lines: Buffer[] = []
    let last: string | undefined
    const flush = async (): Promise<void> => {
      if (lines.length === 0 || last === undefined) return
      const [taken, at] = [lines, last]
      lines = []
      await waitForRoom(signal)
      await append(taken, { cursor: at })
    }
    const reader = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })
    let timer: NodeJS.Timeout | undefined
    try {
      // Events of a burst are written together; a single one waits for a moment at most.
      let writing = Promise.resolve()
      for await (const line of reader) {
        const entry = readJournalEntry(line, logsource)
        if (entry === undefined) {
          countDropped(1, 'an entry of the journal is no JSON object')
          continue
        }
        lines.push(Buffer.from(JSON.stringify(entry.event)))
        last = entry.cursor
        if (lines.length >= limits.journald.recordEventsMax) await (writing = writing.then(flush))
        else if (timer === undefined) {
          timer = setTimeout(() => {
            timer = undefined
            // A failure is that of the next entry, or of the end.
            writing = writing.then(flush)
            writing.catch(() => child.kill())
          }, limits.journald.gatherMs)
        }
      }
      await writing
      await flush()
    } finally {
      clearTimeout(timer)
      child.kill()
    }
    if (!signal.aborted) throw new Error(await ended.promise)
  }
}

/** An entry of the journal under the names of the Elastic Common Schema. */
export function readJournalEntry(line: string, logsource?: object): { readonly event: object; readonly cursor: string } | undefined {
  const parsed = tryParseJson(line)
  if (!('value' in parsed) || !isJsonObject(parsed.value)) return undefined
  const entry = parsed.value
  const read = (name: string): string | undefined => {
    const value = entry[name]
    // Bytes that are no UTF-8 come as numbers.
    if (Array.isArray(value) && value.every((byte) => typeof byte === 'number')) return Buffer.from(value).toString('utf8')
    return typeof value === 'string' ? value : undefined
  }
  const at = Number(read('_SOURCE_REALTIME_TIMESTAMP') ?? read('__REALTIME_TIMESTAMP'))
  const pid = Number(read('_PID') ?? read('SYSLOG_PID'))
  const severity = Number(read('PRIORITY') ?? NaN)
  const cursor = read('__CURSOR')
  const program = read('SYSLOG_IDENTIFIER') ?? read('_COMM')
  if (cursor === undefined) return undefined
  const event = {
    ...(Number.isFinite(at) && { '@timestamp': new Date(at / 1_000).toISOString() }),
    message: read('MESSAGE') ?? '',
    host: { hostname: read('_HOSTNAME') },
    process: {
      name: program, ...(Number.isSafeInteger(pid) && { pid }), executable: read('_EXE'),
      command_line: read('_CMDLINE'),
    },
    user: { id: read('_UID') },
    systemd: { unit: read('_SYSTEMD_UNIT') },
    // The program tells the log source, as in syslog.
    log: {
      syslog: {
        ...(program !== undefined && { appname: program }),
        ...(severities[severity] !== undefined && { severity: { code: severity, name: severities[severity] } }),
      },
    },
    ...(logsource && { _logsource: logsource }),
  }
  return { event, cursor }
}
