/** How a run ends; numbers from 64 on are those of BSD's sysexits. */
export const exitCodes = {
  ok: 0,
  /** The run succeeded and found what fails it: a match, an invalid rule. */
  found: 1,
  /** The object does not exist, exists already, or may not be changed. */
  refused: 1,
  usage: 2,
  /** The run came to its end, but matches may be missing: state of correlations was lost to bound memory. */
  degraded: 3,
  /** No rule to run, or no event to explain. */
  noData: 65,
  /** More input than memory may hold. */
  tooLarge: 65,
  unreadable: 66,
  unwritable: 74,
  /** A bug in Tripline. */
  bug: 70,
  /** A setting, or this version of Node, that cannot be used. */
  configuration: 78,
} as const

/** Ends a command with an exit code and one sentence for the user. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}

/** An argument that cannot be used; the message names it. */
export function usageError(message: string): CommandError {
  return new CommandError(exitCodes.usage, message)
}

/** A path that cannot be read; `thing` names its purpose. */
export function unreadableError(thing: string, path: string, cause: unknown): CommandError {
  return new CommandError(exitCodes.unreadable, `${thing} '${path}' cannot be read: ${describeSystemError(cause)}`, { cause })
}

/** Output that cannot be written, such as on a full disk. */
export function unwritableError(cause: unknown): CommandError {
  return new CommandError(exitCodes.unwritable, `the output cannot be written: ${describeSystemError(cause)}`, { cause })
}

const systemErrorTexts: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
  ENOSPC: 'no space is left on the device',
}

/** The reason of a failed system call, without the call and the path in Node's message. */
function describeSystemError(cause: unknown): string {
  return systemErrorTexts[getErrorCode(cause) ?? ''] ?? (cause instanceof Error ? cause.message : String(cause))
}

/** The `code` of a Node error, such as `ENOENT`. */
export function getErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
