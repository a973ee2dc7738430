import { jsonErrors } from '@tripline/common/command-line/print-error'
import { exitCodes } from '@tripline/common/exit-error'
import { defineCommand } from '../framework/command.ts'
import { readVersion } from '../framework/read-version.ts'

/** Serves editors. */
export const languageServerCommand = defineCommand({
  name: 'language-server',
  summary: 'Serves checks, fixes, completion and explanations to editors (LSP).',
  options: {
    stdio: { kind: 'flag', help: 'Talks over stdin and stdout, which it always does; editors pass this flag.' },
    json: jsonErrors,
  },
  notes: [
    'The Language Server Protocol over stdin and stdout. A document is checked together with the rules of its folder. The command '
      + "tripline.explain takes a document's address and an event as JSON. An extension for VS Code is in packages/cli/editors/vscode.",
    'Exit codes: 0 the editor shut it down; 1 the editor went without; 2 wrong arguments.',
  ],
  async run(_arguments, context) {
    const { serveLanguage } = await import('../language-server/serve-language.ts')
    const isShutDown = await serveLanguage({ input: context.stdin, output: context.stdout, version: readVersion() })
    return isShutDown ? exitCodes.ok : exitCodes.found
  },
})
