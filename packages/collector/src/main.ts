#!/usr/bin/env node
import { exitCodes } from '@tripline/common/exit-error'
import { isAtLeastVersion } from '@tripline/common/node-version'
import { readNeededNode } from './version.ts'

// The only module that reads the process and sets its exit code. An older Node cannot load what the others import.
const needed = readNeededNode()
if (isAtLeastVersion(process.versions.node, needed)) {
  const [{ processRuntime }, { runCommandLine }] = await Promise.all([import('@tripline/common/runtime'), import('./run-command.ts')])
  process.exitCode = await runCommandLine(process.argv.slice(2), processRuntime())
} else {
  process.stderr.write(`tripline-collector: it needs Node ${needed} or newer, and this is ${process.versions.node}: install a newer Node\n`)
  process.exitCode = exitCodes.configuration
}
