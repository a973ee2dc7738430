import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { resolve } from 'node:path'
import { unreadableError } from '../framework/command-error.ts'
import { limits } from '../limits.ts'
import { peek } from './peek.ts'

type ReadTextFileOptions = {
  readonly cwd: string
  /** What the path is for, as an error names it: an option, or a thing. */
  readonly thing: string
  /** Where reading ends; a longer file is cut there. */
  readonly bytesMax: number
}

/**
 * Reads a file as UTF-8.
 *
 * @throws ExitError (66) when it cannot be read.
 */
export function readTextFile(path: string, { cwd, thing, bytesMax }: ReadTextFileOptions): string {
  try {
    return peek(resolve(cwd, path), bytesMax).toString('utf8')
  } catch (error) {
    throw unreadableError(thing, path, error)
  }
}

/**
 * Reads a file that an option names, whole: a part of a mapping or a pipeline may mean something else.
 *
 * @throws ExitError (66) when it cannot be read, (65) when it is longer than `optionFileBytesMax`.
 */
export function readOptionFile(path: string, { cwd, option }: { readonly cwd: string; readonly option: string }): string {
  const { optionFileBytesMax: bytesMax } = limits
  const text = readTextFile(path, { cwd, thing: option, bytesMax: bytesMax + 1 })
  if (Buffer.byteLength(text) <= bytesMax) return text
  throw new ExitError(exitCodes.tooLarge, `${option} '${path}' is longer than ${bytesMax.toLocaleString('en')} bytes`)
}
