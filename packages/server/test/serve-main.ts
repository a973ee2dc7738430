import { runServe } from '../src/main.ts'

// What `tripline serve` does, without the rest of the command line.
process.exitCode = await runServe(process.argv.slice(2))
