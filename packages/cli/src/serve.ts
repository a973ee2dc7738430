import type { Command } from './command.ts'

/** Starts the server; its arguments are the server's own. */
export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the server.',
  async run(args) {
    // Loaded only here: the other commands start faster without the server.
    const { runServe } = await import('@tripline/server/serve')
    return await runServe(args)
  },
}
