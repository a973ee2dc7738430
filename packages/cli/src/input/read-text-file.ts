import { resolve } from 'node:path'
import { unreadableError } from '../framework/command-error.ts'
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
