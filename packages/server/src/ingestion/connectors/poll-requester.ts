import type { PollRequester } from '@tripline/sources/polling/poll-request'
import { PollError } from '@tripline/sources/polling/poll-error'
import type { Egress } from '../../egress/egress.ts'
import { EgressError } from '../../egress/egress-error.ts'

/** Sends requests to sources by the policy of the server; failures are those of polls. */
export function createPollRequester(egress: Egress): PollRequester {
  return async (request) => {
    try {
      return await egress(request)
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      const isAnswer = error.problem === 'too_long' || error.problem === 'damaged'
      throw new PollError(isAnswer ? 'data_flow' : 'connectivity', error.message, { isLasting: error.problem === 'refused' })
    }
  }
}
