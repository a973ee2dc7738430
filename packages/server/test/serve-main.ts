import { runServe } from '../src/main.ts'
import { parseServeArguments } from './parse-serve-arguments.ts'

// What `tripline serve` does, without the rest of the command line.
process.exitCode = await runServe(parseServeArguments(process.argv.slice(2)))
