#!/usr/bin/env node
import { exitCodes } from '@tripline/common/exit-error'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createHeapMeter, getExactThreadCpuMs } from './measuring/process-metrics.ts'
import { run } from './run.ts'

// The only module that reads the process and sets its exit code.
try {
  process.exitCode = await run(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    node: process.execPath,
    program: fileURLToPath(import.meta.url),
    nodeVersion: process.versions.node,
    cwd: process.cwd(),
    isTty: process.stderr.isTTY === true,
    stdoutIsTty: process.stdout.isTTY === true,
    coreCount: availableParallelism(),
    now: () => performance.now(),
    wallClock: Date.now,
    cpuNow: getExactThreadCpuMs,
    heapBytes: createHeapMeter(),
    interrupted,
  })
} catch (error) {
  const details = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`tripline: this is a bug in Tripline; please report it with the lines below\n${details}\n`)
  process.exitCode = exitCodes.bug
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
