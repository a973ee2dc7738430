import type { ServeCheck } from '@tripline/server'
import { escapeControl } from '../framework/escape-control.ts'

/** Prints the settings that `tripline serve` would use, each with its source, and what became of the rules. */
export function printServeCheck({ file, settings, rules }: ServeCheck): string {
  const nameWidth = Math.max(...settings.map(({ name }) => name.length))
  const valueWidth = Math.max(...settings.map(({ value }) => value.length))
  const fileName = file === undefined ? 'a configuration file (none is given)' : `'${file}'`
  const places = `an option overrides a variable, which overrides ${fileName}, which overrides the default`
  return [
    ...settings.map(({ name, value, source }) => `${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${source}`),
    '', places,
    ...rules.problems.map((problem) => `rule is not used: ${problem}`),
    `the settings are valid; rules that run: ${rules.compiledCount}, that do not: ${rules.problems.length}`,
  ].map((line) => `${escapeControl(line.trimEnd())}\n`).join('')
}

/** The same as one JSON object. */
export function printServeCheckJson({ file, settings, rules }: ServeCheck): string {
  return `${JSON.stringify({
    file: file ?? null, settings: Object.fromEntries(settings.map(({ name, value, source }) => [name, { value, source }])),
    rules: { compiled: rules.compiledCount, problems: rules.problems },
  })}\n`
}
