import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

/** Runs a program until it has printed something, and `runMs` longer, then kills it; gives the lines that it printed whole. */
export async function runAndKill(main: string, args: readonly string[], runMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const chunks: string[] = []
  const begun = Promise.withResolvers<void>()
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk.toString())
    begun.resolve()
  })
  const ended = Promise.withResolvers<void>()
  child.once('close', () => ended.resolve())
  await Promise.race([begun.promise, ended.promise])
  await wait(runMs)
  child.kill('SIGKILL')
  await ended.promise
  return chunks.join('').split('\n').slice(0, -1)
}
