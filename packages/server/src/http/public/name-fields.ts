import { AppError } from '@tripline/contract/app-error'
import type { Profile } from '@tripline/contract/public/profile'
import type { Shape } from '@tripline/contract/public/shape'
import { isJsonObject } from '@tripline/common/json'
import { toAppError } from '../../errors/to-app-error.ts'
import { shorten } from './public-errors.ts'

/** The body that a request sent, and its shape. */
export type SentBody = { readonly shape: Shape<unknown> | undefined; readonly profile: Profile; readonly wire: unknown }

/**
 * The refusal of a handler, which knows the internal names of fields alone, with the names that the body of the request has in
 * its profile, and the value that was sent. Any other error is returned as it is.
 */
export function nameFieldsOfError(error: unknown, { shape, profile, wire }: SentBody): unknown {
  const refused = toAppError(error)
  const names = shape?.nameFields?.(profile)
  if (refused === undefined || names === undefined) return error
  const [problem] = Array.isArray(refused.details?.['errors']) ? refused.details['errors'] as readonly unknown[] : []
  const stated = isJsonObject(problem) ? problem['path'] : refused.details?.['parameter']
  const name = typeof stated === 'string' ? names.get(stated) : undefined
  if (typeof stated !== 'string' || name === undefined) return error
  const { errors: _errors, ...details } = refused.details ?? {}
  const code = refused.code === 'INVALID_BODY' ? 'INVALID_PARAMETER' : refused.code
  const sent = isJsonObject(wire) ? wire[name] : undefined
  return new AppError(code, renameInText(refused.message, names), { value: printSent(sent), ...details, parameter: name })
}

/** A message begins with the field that it is about, and has others in quotes. */
function renameInText(message: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce((text, [internal, name]) => {
    const quoted = text.replaceAll(`'${internal}'`, `'${name}'`)
    return ['', 'invalid ', 'Invalid '].reduce((shown, before) => {
      const start = before + internal
      return shown.startsWith(start) && !/^[\w-]/.test(shown.slice(start.length)) ? before + name + shown.slice(start.length) : shown
    }, quoted)
  }, message)
}

function printSent(value: unknown): string | number | boolean | null {
  if (typeof value === 'string') return shorten(value)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}
