import { escapeControl } from '../framework/escape-control.ts'

/** Prints a line of the server's log for people: time, level, message, and the fields as `name=value`. */
export function printLogLine(line: string): string {
  const { at, level, message, stack, ...fields } = JSON.parse(line) as { readonly [name: string]: unknown }
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const text = [String(at).slice(11, 19), String(level).padEnd(5), String(message), ...shown].join('  ')
  // The stack of a bug has lines of its own.
  return [escapeControl(text), ...typeof stack === 'string' ? stack.split('\n').map(escapeControl) : []].join('\n')
}
