import { AppError } from '@tripline/contract/app-error'
import { createRuleError } from '@tripline/detection/rules/rule-errors'
import type { TenantId } from '@tripline/model/tenant'
import { Worker } from 'node:worker_threads'
import { limits } from '../../../limits.ts'
import type { RuleTestMessage, RuleTestReply } from './rule-test-message.ts'

/** The part of a worker thread that the host uses. */
type TestWorker = {
  on(event: 'message', listener: (reply: RuleTestReply) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'exit', listener: (code: number) => void): unknown
  postMessage(message: RuleTestMessage): void
  terminate(): Promise<number>
}

export type RuleTestThreadOptions = {
  readonly start?: () => TestWorker
  /** Resolves after some time, or when the signal aborts. */
  readonly wait?: (lengthMs: number, signal: AbortSignal) => Promise<void>
}

type Task = {
  readonly message: RuleTestMessage
  readonly resolve: (reply: RuleTestReply) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs costly tests and checks of rules in a worker thread, one at a time, each with a deadline: a test that exceeds it is
 * refused. The thread may finish it for a while, because starting a new thread takes as long; then it is terminated, and a
 * new one starts at once for the next test. Tenants take turns (round robin), whatever number of tests each has waiting.
 */
export class RuleTestThread {
  readonly #start: () => TestWorker
  readonly #wait: NonNullable<RuleTestThreadOptions['wait']>
  /** The waiting tests of each tenant; the first tenant is next. */
  readonly #waiting = new Map<TenantId, Task[]>()
  #thread: Thread | undefined
  #isRunning = false
  #isClosed = false

  constructor({ start = startWorker, wait = waitFor }: RuleTestThreadOptions = {}) {
    this.#start = start
    this.#wait = wait
  }

  /** @throws AppError RATE_LIMITED for too many waiting tests of the tenant; INVALID_RULE for one that exceeds its deadline. */
  async run(tenant: TenantId, message: RuleTestMessage): Promise<RuleTestReply> {
    const tasks = this.#waiting.get(tenant) ?? []
    const limit = limits.ruleTest.waitingMax
    if (tasks.length >= limit) {
      throw new AppError('RATE_LIMITED', `${limit} rule tests and checks of the tenant are waiting; retry when one has finished`)
    }
    const { promise, resolve, reject } = Promise.withResolvers<RuleTestReply>()
    tasks.push({ message, resolve, reject })
    this.#waiting.set(tenant, tasks)
    if (!this.#isRunning) void this.#runWaiting()
    return await promise
  }

  /** Starts the thread, so that the first test does not wait for that: loading it takes longer than most tests. */
  prepare(): void {
    if (!this.#isClosed) this.#thread ??= new Thread(this.#start())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.end()
    this.#thread = undefined
  }

  async #runWaiting(): Promise<void> {
    this.#isRunning = true
    for (let task = this.#takeNext(); task !== undefined; task = this.#takeNext()) {
      await this.#runTask(task)
    }
    this.#isRunning = false
  }

  /** Takes a test of the next tenant, and moves the tenant behind the others. */
  #takeNext(): Task | undefined {
    const [next] = this.#waiting
    if (next === undefined) return undefined
    const [tenant, tasks] = next
    const task = tasks.shift()
    this.#waiting.delete(tenant)
    if (tasks.length > 0) this.#waiting.set(tenant, tasks)
    return task
  }

  /** Runs a task and settles it; resolves when the thread is free for the next one. */
  async #runTask({ message, resolve, reject }: Task): Promise<void> {
    const { deadlineMs, terminationMs } = limits.ruleTest
    const thread = (this.#thread ??= new Thread(this.#start()))
    const done = new AbortController()
    const waitAtMost = (lengthMs: number, reply: Promise<RuleTestReply>): Promise<RuleTestReply | undefined> =>
      Promise.race([reply, this.#wait(lengthMs, done.signal).then(() => undefined)])
    try {
      await thread.receive()
      thread.send(message)
      const answered = thread.receive()
      const reply = await waitAtMost(deadlineMs, answered)
      if (reply !== undefined) return resolve(reply)
      reject(createDeadlineError())
      if (await waitAtMost(terminationMs - deadlineMs, answered) === undefined) throw createDeadlineError()
    } catch (error) {
      reject(error)
      this.#thread = undefined
      this.prepare()
      await thread.end()
    } finally {
      done.abort()
    }
  }
}

/** A started worker thread and what it sent last: first that it is ready, then one reply for each message. */
class Thread {
  readonly #worker: TestWorker
  #received = Promise.withResolvers<RuleTestReply>()

  constructor(worker: TestWorker) {
    this.#worker = worker
    worker.on('message', (reply: RuleTestReply) => this.#received.resolve(reply))
    worker.on('error', (error: unknown) => this.#received.reject(isOutOfMemory(error) ? createDeadlineError() : error))
    worker.on('exit', (code) => this.#received.reject(new Error(`the thread of rule tests ended with exit code ${code}`)))
    this.#received.promise.catch(() => {})
  }

  /** The last message, or the next one after a `send`. */
  receive(): Promise<RuleTestReply> {
    return this.#received.promise
  }

  send(message: RuleTestMessage): void {
    this.#received = Promise.withResolvers()
    this.#received.promise.catch(() => {})
    this.#worker.postMessage(message)
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

function createDeadlineError(): AppError {
  const message = 'the rule takes too much time or memory; use fewer values or simpler regular expressions'
  return createRuleError(message, [{ path: 'definition', code: 'LIMIT_EXCEEDED', message, line: 1, column: 1 }])
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function startWorker(): Worker {
  // In the repository the sources run directly; a published package is compiled.
  const module = new URL(import.meta.url.endsWith('.ts') ? './rule-test-worker.ts' : './rule-test-worker.js', import.meta.url)
  // A worker must not inherit the program's own arguments, such as `--input-type` or `--eval`.
  const worker = new Worker(module, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: limits.ruleTest.heapMbMax } })
  worker.unref()
  return worker
}

function waitFor(lengthMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lengthMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    }, { once: true })
  })
}
