import { exitCodes } from '@tripline/common/exit-error'
import { limits as poolLimits } from '@tripline/pool'
import { defineCommand } from '../framework/command.ts'
import { writeText } from '../framework/write-text.ts'
import { limits } from '../limits.ts'

/** Prints every limit: the server's and the engine's as `GET /v1/limits` has them, and the command line's. */
export const limitsCommand = defineCommand({
  name: 'limits',
  needsServer: true,
  summary: 'Prints every limit of Tripline.',
  options: { json: { kind: 'flag', help: 'Prints one JSON object, as GET /v1/limits does.' } },
  notes: ['A name ends with its unit, bytes or ms; the others are counts.'],
  async run({ options }, { stdout }) {
    const { printLimits } = await import('@tripline/server')
    const groups = { ...printLimits().limits, pool: snakeCaseKeys(poolLimits), command_line: snakeCaseKeys(limits) }
    await writeText(stdout, options.json ? `${JSON.stringify({ limits: groups })}\n` : printRows(groups))
    return exitCodes.ok
  },
})

type LimitGroups = { readonly [group: string]: { readonly [name: string]: number } }

function printRows(groups: LimitGroups): string {
  return Object.entries(groups)
    .flatMap(([group, values]) => Object.entries(values).map(([name, value]) => `${group}.${name} ${value}\n`))
    .join('')
}

function snakeCaseKeys(values: { readonly [name: string]: number }): { readonly [name: string]: number } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => {
    return [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]
  }))
}
