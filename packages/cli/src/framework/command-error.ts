import { getErrorCode } from '@tripline/common/error-code'
import { ExitError, exitCodes } from '@tripline/common/exit-error'

export { usageError } from '@tripline/common/exit-error'

/** A path that cannot be read; `thing` names its purpose. */
export function unreadableError(thing: string, path: string, cause: unknown): ExitError {
  return new ExitError(exitCodes.unreadable, `${thing} '${path}' cannot be read: ${describeSystemError(cause)}`, { cause })
}

/** Output that cannot be written, such as on a full disk. */
export function unwritableError(cause: unknown): ExitError {
  return new ExitError(exitCodes.unwritable, `the output cannot be written: ${describeSystemError(cause)}`, { cause })
}

const systemErrorTexts: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'the file is there already',
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
