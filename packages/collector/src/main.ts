#!/usr/bin/env node
import { processRuntime } from '@tripline/common/runtime'
import { runCommandLine } from './run-command.ts'

// The only module that reads the process and sets its exit code.
process.exitCode = await runCommandLine(process.argv.slice(2), processRuntime())
