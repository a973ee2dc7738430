type LogFields = { readonly [name: string]: string | number | boolean | undefined }

/** Writes lines of a log; the fields name what the message is about. */
export type Log = {
  readonly info: (message: string, fields?: LogFields) => void
  readonly warn: (message: string, fields?: LogFields) => void
  readonly error: (message: string, fields?: LogFields) => void
}
