import type { ConnectorCheck } from '@tripline/model/connector'
import { PollError } from '@tripline/sources/polling/poll-error'
import { getDisplayPath } from '@tripline/sources/polling/poll-request'
import type { Egress, EgressResponse } from '../../../egress/egress.ts'
import { limits } from '../../limits.ts'
import { createPollChecks } from '../check-source.ts'
import type { DataFlow } from '../check-source.ts'
import { describeCollections } from './discover-taxii.ts'
import { FeedClient } from './feed-client.ts'
import type { FeedItem } from './feed-item.ts'
import { describeCounts } from './feed-position.ts'
import type { FeedCounts } from './feed-position.ts'
import type { FeedTarget } from './feed-target.ts'
import { readCsvFeed } from './read-csv-feed.ts'
import { checkCollection, fetchTaxiiPage } from './taxii.ts'

type FeedReport = {
  readonly checks: readonly ConnectorCheck[]
  /** The first indicators, as the API prints them. */
  readonly sample: readonly { readonly [field: string]: unknown }[]
}

/** Reads the beginning of a feed and keeps nothing: whether it answers, takes the credentials, and has indicators. */
export async function checkFeed(
  target: FeedTarget, { egress, now, flow }: { readonly egress: Egress; readonly now: () => number; readonly flow: DataFlow },
): Promise<FeedReport> {
  const { checkMs, sampleEventsMax } = limits.connector
  const timeout = AbortSignal.timeout(checkMs)
  const client = new FeedClient(target, { egress, now, signal: timeout, timeoutMs: checkMs })
  try {
    const { items, answer } = target.type === 'taxii' ? await probeTaxii(client) : await probeCsv(client)
    const indicators = items.flatMap((item) => ('indicator' in item ? [item.indicator] : []))
    const sample = indicators.slice(0, sampleEventsMax).map(({ type, value, confidence, description, validUntil }) => ({
      type, value, ...(confidence !== undefined && { confidence }), ...(description !== undefined && { description }),
      ...(validUntil !== undefined && { valid_until: new Date(validUntil).toISOString() }),
    }))
    const isNothing = items.length > 0 && indicators.length === 0
    const message = `of the first: ${describeCounts(countItems(items))}`
    const checks = createFeedChecks(undefined, flow, message)
    const said = `${answer.status} from ${getDisplayPath(target.url)}`
    return {
      checks: checks.map((check) => {
        if (check.type === 'connectivity') return { ...check, message: said, latencyMs: answer.latencyMs }
        return check.type === 'data_flow' && isNothing ? { ...check, status: 'warn' } : check
      }),
      sample,
    }
  } catch (error) {
    const problem = timeout.aborted ? new PollError('connectivity', `no answer within ${checkMs} ms`) : error
    if (!(problem instanceof PollError)) throw problem
    return { checks: createFeedChecks(problem, flow, ''), sample: [] }
  }
}

/** The checks of a feed by its last poll; `message` says what was read. */
export function createFeedChecks(problem: PollError | undefined, flow: DataFlow, message: string): ConnectorCheck[] {
  const checks = createPollChecks(problem, flow)
  if (problem !== undefined) return checks
  return checks.map((check) => (check.type === 'data_flow' && check.status === 'pass' ? { ...check, message } : check))
}

type Probe = { readonly items: readonly FeedItem[]; readonly answer: EgressResponse }

async function probeTaxii(client: FeedClient): Promise<Probe> {
  const answer = await checkKnownCollection(client)
  const { items } = await fetchTaxiiPage(client, {}, limits.feeds.probedMax)
  return { items, answer }
}

/** Of a collection that the server does not know, the error names those that it has. */
async function checkKnownCollection(client: FeedClient): Promise<EgressResponse> {
  try {
    return await checkCollection(client)
  } catch (error) {
    if (!(error instanceof PollError) || error.status !== 404) throw error
    const known = await describeCollections(client)
    const { stage, message, latencyMs, status } = error
    throw known === undefined ? error : new PollError(stage, `${message}; ${known}`, { latencyMs, status })
  }
}

async function probeCsv(client: FeedClient): Promise<Probe> {
  const answer = await client.get(client.target.url, { bytesMax: limits.connector.probeBytesMax, isCut: true })
  // The last line of a part is cut.
  const body = answer.isCut ? answer.body.subarray(0, answer.body.lastIndexOf(0x0a) + 1) : answer.body
  const items: FeedItem[] = []
  for await (const item of readCsvFeed(body, client.target, client.now())) {
    items.push(item)
    if (items.length === limits.feeds.probedMax) break
  }
  if (items.length === 0) throw new PollError('data_flow', 'the feed has no rows', { latencyMs: answer.latencyMs })
  return { items, answer }
}

function countItems(items: readonly FeedItem[]): FeedCounts {
  const unusable: { [reason: string]: number } = {}
  for (const item of items) if ('unusable' in item) unusable[item.unusable] = (unusable[item.unusable] ?? 0) + 1
  return { read: items.length, created: 0, unusable }
}
