import type { Command } from './command.ts'
import { runDemo } from './run-demo.ts'

/** Starts the server; its arguments are the server's own, but for one. */
export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the server; with --demo, on sample rules and events.',
  async run(args, context) {
    const isDemo = args.includes('--demo') && !args.includes('--help')
    if (isDemo) return await runDemo(args.filter((argument) => argument !== '--demo'), context)
    // Loaded only here: the other commands start faster without the server.
    const { runServe } = await import('@tripline/server/serve')
    return await runServe(args)
  },
}
