import { jsonErrors } from '@tripline/common/command-line/print-error'
import { exitCodes } from '@tripline/common/exit-error'
import { defineCommand } from '../framework/command.ts'
import type { Command } from '../framework/command.ts'
import { readVersion } from '../framework/read-version.ts'
import { createCommandTools } from '../mcp/command-tools.ts'
import { serveMcp } from '../mcp/serve-mcp.ts'

/** Creates the command that serves other commands, those that only read, to assistants. */
export function createMcpCommand(others: readonly Command[]): Command {
  return defineCommand({
    name: 'mcp',
    summary: 'Serves the commands that only read as tools to assistants (MCP).',
    options: { json: jsonErrors },
    notes: [
      'The Model Context Protocol over stdin and stdout. Tools: detect, explain, convert, search, verify, limits and rules check, lint, '
        + 'test, cost, health and coverage, without options that write files. They read what the user who starts it may read.',
      'Exit codes: 0 the client closed the connection; 2 wrong arguments.',
    ],
    async run(_arguments, context) {
      const { stdin: input, stdout: output } = context
      await serveMcp({ input, output, version: readVersion(), tools: createCommandTools(others, context) })
      return exitCodes.ok
    },
  })
}
