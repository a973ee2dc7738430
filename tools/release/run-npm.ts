import { spawn } from 'node:child_process'

/**
 * Runs npm in a folder while this process goes on: the registry that npm asks may be in it.
 *
 * @throws Error with the output of npm if it fails.
 */
export async function runNpm(args: readonly string[], cwd: string): Promise<void> {
  const child = spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}: ${printed}`)
}
