/** Objects by name: a folder, or a bucket of an S3-compatible store. Names are paths with `/`. */
export type BlobStore = {
  /** How messages name the store. */
  readonly name: string
  /** Stores an object, whole or not at all; replaces one of the same name. */
  readonly put: (name: string, bytes: Uint8Array) => Promise<void>
  /** Reads an object; undefined where there is none. */
  readonly get: (name: string) => Promise<Buffer | undefined>
  /** The names that begin with a prefix, such as `chunks/`. */
  readonly list: (prefix: string) => Promise<readonly string[]>
  readonly remove: (name: string) => Promise<void>
}

/** A backup that cannot be made or used; the message says why and what to do. */
export class BackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupError'
  }
}
