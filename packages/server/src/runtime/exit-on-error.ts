import { getErrorMessage } from '@tripline/common/error-message'
import { ExitError } from '@tripline/common/exit-error'

/** Wraps a failure into an ExitError that says what failed and why. */
export async function exitOnError<Value>(exitCode: number, sentence: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw new ExitError(exitCode, `${sentence}: ${getErrorMessage(error)}`, { cause: error })
  }
}
