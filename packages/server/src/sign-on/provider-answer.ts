import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'
import type { SamlAssertion } from './read-assertion.ts'
import type { SignOnError } from './sign-on-error.ts'

/** What a browser brought from a provider: a code to redeem, or an assertion, and why it was refused if it was. */
export type ProviderAnswer =
  | { readonly protocol: 'oidc'; readonly query: string }
  | { readonly protocol: 'saml'; readonly tenant: TenantId; readonly outcome: SamlAssertion | SignOnError }

type SamlAnswer = Extract<ProviderAnswer, { readonly protocol: 'saml' }>

/**
 * Answers by SAML between two requests of one browser: a provider has it post the assertion from another site, without the cookie
 * of the login, and a redirect fetches the rest with it. Each is there for a minute, and is taken once; of too many the oldest goes.
 */
export class ReceivedAnswers {
  readonly #answers = new Map<string, { readonly answer: SamlAnswer; readonly receivedAt: number }>()

  put(code: string, answer: SamlAnswer, nowMs: number): void {
    for (const [old, { receivedAt }] of this.#answers) {
      if (nowMs - receivedAt < limits.signOn.answerMs && this.#answers.size < limits.signOn.answersMax) break
      this.#answers.delete(old)
    }
    this.#answers.set(code, { answer, receivedAt: nowMs })
  }

  take(code: string, nowMs: number): SamlAnswer | undefined {
    const found = this.#answers.get(code)
    this.#answers.delete(code)
    return found !== undefined && nowMs - found.receivedAt < limits.signOn.answerMs ? found.answer : undefined
  }
}
