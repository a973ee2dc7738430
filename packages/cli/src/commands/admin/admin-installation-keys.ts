import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { getErrorMessage } from '@tripline/common/error-message'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { unreadableError, unwritableError, usageError } from '../../framework/command-error.ts'
import { defineCommand } from '../../framework/command.ts'
import type { Command } from '../../framework/command.ts'
import { writeText } from '../../framework/write-text.ts'

const dataDirOption = {
  'data-dir': { kind: 'text', value: '<dir>', default: './tripline-data', help: "The server's data directory; the server may be running." },
} as const
const json = { kind: 'flag', help: 'Prints one JSON object in the shape of the API.' } as const

/** Commands that save and restore the secrets of an installation, without which its state is of no use. */
export const installationKeyCommands: readonly Command[] = [
  defineCommand({
    name: 'admin installation-keys export',
    needsServer: true,
    summary: 'Writes the secrets of an installation to a file, to be kept apart.',
    operands: { usage: '<file>', help: 'The file to write; it must not exist, and only its owner can read it.' },
    options: { ...dataDirOption, json },
    notes: [
      'Keep the file where backups of the data directory are not: both together allow impersonating any user.',
      'Exit codes: 0 written; 2 wrong arguments; 66 there are no keys; 74 the file cannot be written.',
    ],
    async run({ options, operands }, context) {
      const file = getFile(operands)
      const source = join(resolve(context.cwd, options['data-dir']), 'keys.json')
      const text = await readFile(source, 'utf8').catch((error: unknown) => {
        throw unreadableError('data directory', options['data-dir'], error)
      })
      await writeFile(resolve(context.cwd, file), text, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
        throw unwritableError(error)
      })
      await writeText(context.stdout, options.json ? `${JSON.stringify({ file })}\n` : `wrote '${file}'; keep it apart from the data\n`)
      return exitCodes.ok
    },
  }),
  defineCommand({
    name: 'admin installation-keys import',
    needsServer: true,
    summary: 'Restores the secrets of an installation from a file.',
    operands: { usage: '<file>', help: 'A file that export wrote, or a keys.json of a backup.' },
    options: { ...dataDirOption, json },
    notes: ['Exit codes: 0 restored; 1 the keys are of another state; 2 wrong arguments; 66 the file cannot be read.'],
    async run({ options, operands }, context) {
      const file = getFile(operands)
      const text = await readFile(resolve(context.cwd, file), 'utf8').catch((error: unknown) => {
        throw unreadableError('keys', file, error)
      })
      const { importInstallationKeys } = await import('@tripline/server/admin')
      await importInstallationKeys(resolve(context.cwd, options['data-dir']), text).catch((error: unknown) => {
        throw new ExitError(exitCodes.refused, getErrorMessage(error), { cause: error })
      })
      await writeText(context.stdout, options.json ? `${JSON.stringify({ file })}\n` : `restored the keys of '${options['data-dir']}'\n`)
      return exitCodes.ok
    },
  }),
]

function getFile([file = '', second]: readonly string[]): string {
  if (second !== undefined) throw usageError(`unexpected argument '${second}'; one file is taken`)
  return file
}
