import { getErrorCode } from '@tripline/common/error-code'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SnapshotError } from '@tripline/engine'
import { unreadableError, unwritableError } from '../framework/command-error.ts'
import type { Context } from '../framework/context.ts'
import type { LineCorrelator } from './line-correlator.ts'

/**
 * Lets correlations go on from a file of saved state, and says on stderr which of it is of no use any more. A file
 * that is not there yet is the beginning.
 *
 * @throws ExitError (66) when the file cannot be read, or holds something else.
 */
export function loadState(path: string, correlator: LineCorrelator, { cwd, stderr }: Context): void {
  const bytes = readIfExists(path, cwd)
  if (bytes === undefined) return
  for (const { id, reason } of readState(path, bytes, correlator)) {
    const why = reason === 'gone' ? 'is not there any more' : 'is defined otherwise now'
    stderr.write(`tripline: the state of rule ${id} is dropped, because the rule ${why}\n`)
  }
}

/**
 * Saves what is open, whole or not at all: the file is replaced by one that was written beside it.
 *
 * @throws ExitError (74) when it cannot be written.
 */
export function saveState(path: string, correlator: LineCorrelator, { cwd }: Context): void {
  const file = resolve(cwd, path)
  try {
    writeFileSync(`${file}.new`, correlator.save())
    renameSync(`${file}.new`, file)
  } catch (error) {
    throw unwritableError(error)
  }
}

function readIfExists(path: string, cwd: string): Uint8Array | undefined {
  try {
    return readFileSync(resolve(cwd, path))
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw unreadableError('state', path, error)
  }
}

function readState(path: string, bytes: Uint8Array, correlator: LineCorrelator): ReturnType<LineCorrelator['load']>['dropped'] {
  try {
    return correlator.load(bytes).dropped
  } catch (error) {
    if (error instanceof SnapshotError) throw new ExitError(exitCodes.unreadable, `state '${path}' cannot be read: ${error.message}`)
    throw error
  }
}
