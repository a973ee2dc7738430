import type { ChildProcess } from 'node:child_process'

/** Kills a program that a test started, and waits until it has ended; one that has ended is left alone. */
export async function killProgram(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  child.once('close', () => resolve())
  child.kill('SIGKILL')
  await promise
}
