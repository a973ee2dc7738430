import { parentPort } from 'node:worker_threads'
import { verifySamlDocument } from './saml-provider.ts'
import type { SamlReply, SamlTask } from './saml-provider.ts'
import { SignOnError } from './sign-on-error.ts'

// Entry point of the thread that verifies responses of SAML: answers each with its assertion or why it is refused. Any other error
// ends the thread.

async function answer({ client, document, nowMs }: SamlTask): Promise<SamlReply> {
  try {
    return { assertion: await verifySamlDocument(client, document, nowMs) }
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error
    return { refusal: { problem: error.problem, particulars: error.particulars } }
  }
}

parentPort?.on('message', (task: SamlTask) => {
  void answer(task).then((reply) => parentPort?.postMessage(reply))
})
