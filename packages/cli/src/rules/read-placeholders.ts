import { resolve } from 'node:path'
import { parseJson } from '@tripline/engine'
import type { CompileOptions } from '@tripline/engine'
import { unreadableError, usageError } from '../framework/command-error.ts'
import { peek } from '../input/peek.ts'
import { limits } from '../limits.ts'

type Placeholders = NonNullable<CompileOptions['placeholders']>

/**
 * Reads the values of placeholders: a JSON object of lists, `{"admins": ["alice", "bob"]}` for `%admins%`.
 *
 * @throws ExitError (66) when the file cannot be read, (2) when it holds something else.
 */
export function readPlaceholders(path: string, cwd: string): Placeholders {
  const value = parseFile(path, readText(path, cwd))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usageError(`--placeholders '${path}' holds no JSON object of names and lists`)
  }
  for (const [name, values] of Object.entries(value)) {
    if (!Array.isArray(values) || !values.every(isPlaceholderValue)) {
      throw usageError(`--placeholders '${path}': the value of '${name}' is no list of texts and numbers`)
    }
  }
  return value as Placeholders
}

function readText(path: string, cwd: string): string {
  try {
    return peek(resolve(cwd, path), limits.placeholderBytesMax).toString('utf8')
  } catch (error) {
    throw unreadableError('--placeholders', path, error)
  }
}

function parseFile(path: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw usageError(`--placeholders '${path}' is no JSON: ${error.message}`)
  }
}

function isPlaceholderValue(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
