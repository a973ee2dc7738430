import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { limits } from '../../../limits.ts'
import type { RuleTestMessage, RuleTestReply } from './rule-test-message.ts'
import { RuleTestThread } from './rule-test-thread.ts'

type Sent = { readonly worker: FakeWorker; readonly message: RuleTestMessage }

/** A worker that is ready at once and answers when the test says so. */
class FakeWorker extends EventEmitter {
  readonly #sent: Sent[]
  isTerminated = false

  constructor(sent: Sent[]) {
    super()
    this.#sent = sent
    queueMicrotask(() => this.emit('message', 'ready'))
  }

  postMessage(message: RuleTestMessage): void {
    this.#sent.push({ worker: this, message })
  }

  async terminate(): Promise<number> {
    this.isTerminated = true
    return 1
  }
}

/** A thread with fake workers and deadlines. */
function openThread() {
  const sent: Sent[] = []
  const workers: FakeWorker[] = []
  const deadlines: (() => void)[] = []
  const start = () => {
    const worker = new FakeWorker(sent)
    workers.push(worker)
    return worker
  }
  const wait = () => new Promise<void>((resolve) => void deadlines.push(resolve))
  return { thread: new RuleTestThread({ start, wait }), sent, workers, deadlines }
}

function createMessage(ruleId: string): RuleTestMessage {
  const task = { definition: undefined, ruleId, filterSources: [], pipelines: [], events: [], isExplained: false }
  return { task, rules: [], correlations: [], references: [] }
}

const reply: RuleTestReply = { results: [] }
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** The rule ids that the worker got, in order, after answering all of them. */
async function answerAll(sent: readonly Sent[]): Promise<readonly string[]> {
  await settle()
  for (let i = 0; i < sent.length; i++) {
    sent[i]!.worker.emit('message', reply)
    await settle()
  }
  return sent.map(({ message }) => 'ruleId' in message.task ? (message.task.ruleId ?? '') : '')
}

test.for<readonly [title: string, arrivals: readonly string[], order: string]>([
  ['one tenant in order', ['a1', 'a2', 'a3'], 'a1 a2 a3'],
  ['a quiet tenant after one test of a busy one', ['a1', 'a2', 'a3', 'a4', 'b1'], 'a1 a2 b1 a3 a4'],
  ['three tenants in turns', ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'], 'a1 a2 b1 c1 a3 b2'],
])('runs %s', async ([, arrivals, order]) => {
  const { thread, sent } = openThread()
  const running = arrivals.map((id) => thread.run(id[0]!, createMessage(id)))
  await settle()
  expect(sent.length).toBe(1)
  expect((await answerAll(sent)).join(' ')).toBe(order)
  expect(await Promise.all(running)).toEqual(arrivals.map(() => reply))
})

test('refuses tests of a tenant beyond the limit, and takes those of others', async () => {
  const { thread, sent } = openThread()
  const running = Array.from({ length: limits.ruleTest.waitingMax + 1 }, (_, i) => thread.run('a', createMessage(`a${i}`)))
  await expect(thread.run('a', createMessage('more'))).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  running.push(thread.run('b', createMessage('b')))
  await answerAll(sent)
  expect((await Promise.all(running)).length).toBe(limits.ruleTest.waitingMax + 2)
})

async function exceedDeadlines({ deadlines }: ReturnType<typeof openThread>): Promise<void> {
  deadlines[0]!()
  await settle()
  deadlines[1]!()
  await settle()
}

test('refuses a test at its deadline, and lets the thread finish it before the next', async () => {
  const { thread, sent, workers, deadlines } = openThread()
  const failure = thread.run('a', createMessage('a1')).catch((reason: unknown) => reason)
  const second = thread.run('a', createMessage('a2'))
  await settle()
  deadlines[0]!()
  expect(await failure).toMatchObject({ code: 'INVALID_RULE' })
  expect(sent.length).toBe(1)
  workers[0]!.emit('message', reply)
  await settle()
  expect(sent.length).toBe(2)
  workers[0]!.emit('message', reply)
  expect(await second).toEqual(reply)
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false])
})

const outOfMemory = Object.assign(new Error('out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })

test.for<readonly [title: string, end: (opened: ReturnType<typeof openThread>) => void, error: object]>([
  ['both deadlines', (opened) => void exceedDeadlines(opened), { code: 'INVALID_RULE' }],
  ['a full heap', ({ workers }) => void workers[0]!.emit('error', outOfMemory), { code: 'INVALID_RULE' }],
  ['an error of ours', ({ workers }) => void workers[0]!.emit('error', new Error('a bug')), { message: 'a bug' }],
  ['an exit', ({ workers }) => void workers[0]!.emit('exit', 1), { message: 'the thread of rule tests ended with exit code 1' }],
])('after %s the next test gets a new thread', async ([, end, error]) => {
  const opened = openThread()
  const first = opened.thread.run('a', createMessage('a1'))
  const second = opened.thread.run('a', createMessage('a2'))
  const failure = first.catch((reason: unknown) => reason)
  await settle()
  end(opened)
  expect(await failure).toMatchObject(error)
  await settle()
  await settle()
  expect(opened.workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false])
  opened.workers[1]!.emit('message', reply)
  expect(await second).toEqual(reply)
})

test('starts before the first test, and again at once after a test that exceeded its deadline', async () => {
  const opened = openThread()
  const { thread, workers } = opened
  thread.prepare()
  thread.prepare()
  expect(workers.length).toBe(1)
  const failure = thread.run('a', createMessage('a1')).catch((reason: unknown) => reason)
  await settle()
  expect(workers.length).toBe(1)
  await exceedDeadlines(opened)
  expect(await failure).toMatchObject({ code: 'INVALID_RULE' })
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false])
})

test('starts no thread once it is closed', async () => {
  const opened = openThread()
  const { thread, workers } = opened
  const failure = thread.run('a', createMessage('a1')).catch((reason: unknown) => reason)
  await settle()
  await thread.close()
  await exceedDeadlines(opened)
  await failure
  thread.prepare()
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true])
})
