import { getErrorMessage } from '@tripline/common/error-message'
import { isJsonObject } from '@tripline/common/json'
import { CORE_SCHEMA, loadAll } from 'js-yaml'
import { limits } from '../limits.ts'
import { configurationError } from './configuration-error.ts'

/**
 * Parses the text of a configuration file: JSON, with comments and commas after the last entry, if it begins with a brace or a
 * bracket, and YAML otherwise.
 *
 * @throws ExitError (78) for a text that is neither, or holds no object.
 */
export function parseConfigFile(path: string, text: string): { readonly [key: string]: unknown } {
  const { fileLengthMax: max } = limits.configuration
  if (text.length > max) throw configurationError(`configuration file '${path}' has ${text.length} characters; at most ${max} are read`)
  const parsed = parseText(path, text)
  if (isJsonObject(parsed)) return parsed
  throw configurationError(`configuration file '${path}' must contain an object of settings, in YAML or JSON`)
}

function parseText(path: string, text: string): unknown {
  const json = blankComments(text)
  try {
    if (/^\s*[{[]/.test(json)) return JSON.parse(json)
    const [document = {}, ...others] = loadAll(text, { schema: CORE_SCHEMA, filename: path })
    if (others.length > 0) throw new Error('it holds more than one YAML document')
    return document
  } catch (error) {
    throw configurationError(`configuration file '${path}' cannot be read: ${getErrorMessage(error)}`, { cause: error })
  }
}

/** Replaces comments outside of strings, and commas before a closing bracket, by blanks: places in errors stay those of the file. */
function blankComments(text: string): string {
  const withoutComments = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (token) => {
    return token.startsWith('"') ? token : token.replaceAll(/[^\n]/g, ' ')
  })
  return withoutComments.replaceAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (token) => (token === ',' ? ' ' : token))
}
