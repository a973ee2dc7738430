import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { redactValue } from './redact.ts'

/**
 * A log of JSON lines on stderr: time, level, message, then the fields. An entry is always one line, and secrets in it are
 * masked.
 */
export function createLog({ logLine, now }: Pick<Runtime, 'logLine' | 'now'>): Log {
  const write = (level: string, message: string, fields: object = {}): void => {
    logLine(JSON.stringify(redactValue({ at: new Date(now()).toISOString(), level, message, ...fields })))
  }
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  }
}
