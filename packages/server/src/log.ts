import type { Io } from './io.ts'

export type LogFields = { readonly [name: string]: string | number | boolean | undefined }

/** Writes lines of the server's log. */
export type Log = {
  readonly info: (message: string, fields?: LogFields) => void
  readonly warn: (message: string, fields?: LogFields) => void
  readonly error: (message: string, fields?: LogFields) => void
}

/** A log of JSON lines on stderr (C10): time, level, message, then the fields. A line is never more than a line. */
export function createLog({ logLine, now }: Pick<Io, 'logLine' | 'now'>): Log {
  const write = (level: string, message: string, fields: LogFields = {}): void => {
    logLine(JSON.stringify({ at: new Date(now()).toISOString(), level, message, ...fields }))
  }
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  }
}
