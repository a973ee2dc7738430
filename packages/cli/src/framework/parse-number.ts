import { usageError } from './command-error.ts'

type NumberRange = {
  readonly min: number
  readonly max: number
  /** Whether only whole numbers are taken. */
  readonly isWhole?: boolean
}

/** Reads the number that an option states; one out of its range is a usage error that names the option. */
export function readNumber(option: string, text: string, { min, max, isWhole = false }: NumberRange): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value
  const kind = isWhole ? 'a whole number' : 'a number'
  throw usageError(`option '${option}' is '${text}'; it takes ${kind} from ${min} to ${max.toLocaleString('en')}`)
}
