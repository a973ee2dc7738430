import { redactValue } from './redact.ts'
import type { Runtime } from './runtime.ts'

type LogFields = { readonly [name: string]: string | number | boolean | undefined }

/** Writes lines of the server's log. */
export type Log = {
  readonly info: (message: string, fields?: LogFields) => void
  readonly warn: (message: string, fields?: LogFields) => void
  readonly error: (message: string, fields?: LogFields) => void
}

/**
 * A log of JSON lines on stderr: time, level, message, then the fields. An entry is always one line, and secrets in it are
 * masked.
 */
export function createLog({ logLine, now }: Pick<Runtime, 'logLine' | 'now'>): Log {
  const write = (level: string, message: string, fields: LogFields = {}): void => {
    logLine(JSON.stringify(redactValue({ at: new Date(now()).toISOString(), level, message, ...fields })))
  }
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  }
}
