/**
 * What a flood of one tenant does to another:
 *
 *     npm run trial:fairness -- [--seconds 8] [--rounds 4] [--factor 10] [--seed 1] [--batch 200] [--senders 32] [--output <file>]
 *
 * A server runs as a process of its own. The flooding tenant has 15 rules with regular expressions of its own, offers
 * `--factor` times what the server evaluates when it sends alone, whatever the responses say, and repeats a wildcard search.
 * A quiet tenant sends ten events a second, each of which creates an alert, and searches four times a second. The baseline is
 * the same while the flood goes to a sink beside the server; phases of both follow each other in turn, and their requests are counted
 * together. `--output` writes the table to a file, too.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { printOutcome, runTrial } from './fairness/run-trial.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '4' },
    factor: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    batch: { type: 'string', default: '200' },
    senders: { type: 'string', default: '32' },
    profile: { type: 'string' },
    output: { type: 'string' },
  },
})
const outcome = await runTrial({
  seed: Number(values.seed), phaseMs: Number(values.seconds) * 1_000, rounds: Number(values.rounds), settleMs: 30_000, warmUpMs: 10_000,
  capacityBatches: 20, factor: Number(values.factor), batchSize: Number(values.batch), senders: Number(values.senders),
  nodeOptions: values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
})
const table = printOutcome(outcome)
process.stdout.write(table)
if (values.output !== undefined) writeFileSync(values.output, table)
