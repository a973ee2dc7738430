import { parentPort } from 'node:worker_threads'
import { RuleSet, RuleView } from '@tripline/engine'
import type { CompiledRule, DetectionRule } from '@tripline/engine'
import { AppError } from '@tripline/contract/app-error'
import { limits } from '../../../limits.ts'
import { checkDefinition } from './check-definition.ts'
import type { RuleTestMessage, RuleTestReply } from './rule-test-message.ts'
import { createRewriting } from '../pipelines/create-rewriting.ts'
import { runPipelineTest } from './run-pipeline-test.ts'
import { runRuleTest } from './run-rule-test.ts'

// Entry point of the thread that tests and checks rules: answers each message with its outcome. An error that is not an
// `AppError` ends the thread, and the main thread reports it.

async function run({ task, rules, correlations, references }: RuleTestMessage): Promise<RuleTestReply> {
  const known = new Set([...rules, ...correlations].map(({ id }) => id))
  const stubs = references.filter(({ id }) => !known.has(id)).map(createStub)
  const stubIds = new Set(stubs.map(({ id }) => id))
  const among = new RuleSet([...rules, ...stubs], { correlations })
  const isStub = (id: string): boolean => stubIds.has(id)
  const { compileWorkMax: workMax } = limits.rules
  try {
    const rewriting = createRewriting(task.pipelines)
    if (!('events' in task)) return await checkDefinition(task, { among, isStub, rewriting })
    const context = { among, isStub, rewriting, workMax, comparisonsMax: limits.ruleTest.comparisonsMax }
    return 'isCompared' in task ? runPipelineTest(task, context) : runRuleTest(task, context)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { error: { code: error.code, message: error.message, details: error.details } }
  }
}

/** A rule of which only id, name and log source are known; a task that needs it whole asks for it. */
function createStub({ id, name, logsource }: RuleTestMessage['references'][number]): CompiledRule {
  return new StubRule({ id, name, title: '', level: undefined, logsource, path: '', predicate: { kind: 'constant', value: false } })
}

class StubRule extends RuleView {
  get rule(): DetectionRule {
    throw new Error(`the attributes of the rule ${this.id} were not sent`)
  }
}

/**
 * Runs a test once before the thread is ready. V8 runs code slowly until it has run for a while: without this, the first
 * hostile rule takes three times as long, and exceeds the deadline on a busy machine.
 */
async function warmUp(): Promise<void> {
  const values = Array.from({ length: limits.ruleTest.warmUpValues }, (_, i) => `'(?:a{1,9}value-${i}|b+.*c)[0-9]'`).join(', ')
  const detection = `detection: { a: { CommandLine|re: [${values}] }, condition: a }`
  const definition = `title: Warm-up\nlogsource: { category: process_creation }\n${detection}\n`
  const task = { ruleId: undefined, definition, filterSources: [], pipelines: [], events: [{ CommandLine: 'value' }], isExplained: false }
  const reply = await run({ task, rules: [], correlations: [], references: [] })
  if (!('results' in reply)) throw new Error('the test that warms up the thread of rule tests failed')
}

await warmUp()
parentPort?.on('message', (message: RuleTestMessage) => {
  void run(message).then((reply) => parentPort?.postMessage(reply))
})
parentPort?.postMessage('ready')
