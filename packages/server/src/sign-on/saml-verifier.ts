import { SerialQueue } from '@tripline/common/serial-queue'
import type { TenantId } from '@tripline/model/tenant'
import { Worker } from 'node:worker_threads'
import { limits } from '../limits.ts'
import { decodeDocument } from './check-saml-document.ts'
import type { SamlAssertion } from './read-assertion.ts'
import type { SamlClient, SamlReply, SamlTask } from './saml-provider.ts'
import { SignOnError } from './sign-on-error.ts'

const { verifyMs, verifierIdleMs, verifierHeapMbMax, verifiersWaitingMax } = limits.signOn

/**
 * Verifies responses of SAML in a thread of its own, one after the other, since a verification takes 60 ms and more of processor time
 * and anyone may send one. The thread begins with a login, and ends when none came for a while.
 */
export class SamlVerifier {
  readonly #queue = new SerialQueue()
  readonly #waiting = new Map<TenantId, number>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  /**
   * Reads the response that a browser brought: its assertion must be signed by the provider, for this server, and valid now. Whose
   * request it answers is checked with the attempt of the browser.
   *
   * @throws SignOnError; `limited` where too many responses of the tenant wait.
   */
  async verify(
    tenant: TenantId, client: SamlClient, response: { readonly base64: string; readonly nowMs: number },
  ): Promise<SamlAssertion> {
    // What cannot be one does not reach the thread.
    const document = decodeDocument(response.base64)
    const count = this.#waiting.get(tenant) ?? 0
    if (count >= verifiersWaitingMax) throw new SignOnError('limited')
    this.#waiting.set(tenant, count + 1)
    try {
      return await this.#queue.run(() => this.#ask({ client, document, nowMs: response.nowMs }))
    } finally {
      const left = (this.#waiting.get(tenant) ?? 1) - 1
      if (left === 0) this.#waiting.delete(tenant)
      else this.#waiting.set(tenant, left)
    }
  }

  /** Starts the thread while the user logs in at the provider: loading it takes longer than a verification. */
  prepare(): void {
    this.#worker ??= startWorker()
    this.#endWhenIdle()
  }

  async #ask(task: SamlTask): Promise<SamlAssertion> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= startWorker())
    const reply = await askWorker(worker, task).catch((error: unknown) => {
      // Another thread is started for the next response.
      this.#end()
      throw error
    })
    this.#endWhenIdle()
    if ('assertion' in reply) return reply.assertion
    throw new SignOnError(reply.refusal.problem, reply.refusal.particulars)
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#end(), verifierIdleMs)
    this.#idle.unref()
  }

  #end(): void {
    clearTimeout(this.#idle)
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}

function startWorker(): Worker {
  // In the repository the sources run directly; a published package is compiled.
  const module = new URL(import.meta.url.endsWith('.ts') ? './saml-worker.ts' : './saml-worker.js', import.meta.url)
  const worker = new Worker(module, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: verifierHeapMbMax } })
  // An error between two responses is reported by the next one; without a listener it would end the server.
  worker.on('error', () => {})
  worker.unref()
  return worker
}

/** @throws SignOnError where it takes too long; Error where the thread fails. */
async function askWorker(worker: Worker, task: SamlTask): Promise<SamlReply> {
  const { promise, resolve, reject } = Promise.withResolvers<SamlReply>()
  const timer = setTimeout(() => reject(new SignOnError('untrusted', 'the response takes too long to verify')), verifyMs)
  const onExit = (): void => reject(new Error('the thread that verifies responses of SAML ended'))
  worker.once('message', resolve).once('error', reject).once('exit', onExit)
  worker.ref()
  worker.postMessage(task)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', reject).off('exit', onExit)
    worker.unref()
  }
}
