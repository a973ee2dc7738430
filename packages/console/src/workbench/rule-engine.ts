import type { CheckRequest, RuleCheck } from './check-rule.ts'
import type { WorkerMessage, WorkerReply, WorkerResult, WorkerTask } from './messages.ts'

type Waiting = {
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
  readonly timer: ReturnType<typeof setTimeout>
}

/** A rule that takes longer than this is given up, and the worker with it. */
const deadlineMs = 15_000
const tooLong = 'the rule takes too long; use fewer values or simpler expressions'

/** The engine in a worker of its own, so that no rule holds up the page; closed when the page is left. */
export class RuleEngine {
  #worker: Worker | undefined
  #lastId = 0
  readonly #waiting = new Map<number, Waiting>()

  /** Checks a text with the engine. @throws Error where it takes too long. */
  check(request: CheckRequest): Promise<RuleCheck> {
    return this.run({ kind: 'check', request })
  }

  /** Runs a task in the worker. @throws Error of the task, or where it takes too long. */
  run<Task extends WorkerTask>(task: Task): Promise<WorkerResult[Task['kind']]> {
    const worker = (this.#worker ??= this.#start())
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#restart(new Error(tooLong)), deadlineMs)
      this.#waiting.set(id, { resolve, reject, timer })
      worker.postMessage({ id, task } satisfies WorkerMessage)
    })
  }

  close(): void {
    this.#restart(new Error('the page was left'))
  }

  #start(): Worker {
    const worker = new Worker(new URL('./rule-worker.ts', import.meta.url), { type: 'module', name: 'rules' })
    worker.addEventListener('message', ({ data }: { readonly data: WorkerReply }) => {
      const waiting = this.#take(data.id)
      if ('error' in data) waiting?.reject(new Error(data.error))
      else waiting?.resolve(data.result as never)
    })
    worker.addEventListener('error', ({ message }) => this.#restart(new Error(message === '' ? 'the engine could not be loaded' : message)))
    return worker
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    clearTimeout(waiting?.timer)
    return waiting
  }

  /** Ends the worker and fails what waits for it; the next task starts another. */
  #restart(error: Error): void {
    this.#worker?.terminate()
    this.#worker = undefined
    for (const id of this.#waiting.keys()) this.#take(id)?.reject(error)
  }
}
