// The manual pages that the packages of programs name, each with its file: npm puts pages of a list on the path of man, and not
// those of a folder.
import { listManualPages } from '../packages/common/src/command-line/print-man.ts'
import { commands } from '../packages/cli/src/command-table.ts'
import { program } from '../packages/cli/src/framework/program.ts'
import { collectorProgram } from '../packages/collector/src/commands/command.ts'
import { commands as collectorCommands } from '../packages/collector/src/command-table.ts'

/** The manifest of the package of a program, with the pages of its commands. @throws Error for the manifest of another package. */
export function fillManualPages(manifest: string): string {
  const { bin } = JSON.parse(manifest) as { readonly bin?: { readonly [name: string]: string } }
  const pages = bin?.['tripline'] === undefined
    ? listManualPages(collectorProgram, collectorCommands, '') : listManualPages(program, commands, '')
  const list = pages.map(({ file }) => `    "./dist/man/${file}"`).sort().join(',\n')
  return manifest.replace(/(?<=^ {2}"man": \[\n)[^\]]*(?=\n {2}\])/m, list)
}
