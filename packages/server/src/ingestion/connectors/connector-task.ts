import { getErrorMessage } from '@tripline/common/error-message'
import type { SecretBox } from '@tripline/model/access/secret-box'
import { isPushType } from '@tripline/model/connector'
import type { Connector, ConnectorCheck, ConnectorConfig, IngestCounts } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import { poll, retryDelayMs } from '@tripline/sources/polling/poll'
import { PollClient } from '@tripline/sources/polling/poll-client'
import { PollError } from '@tripline/sources/polling/poll-error'
import { readStoredPosition, toStoredPosition } from '@tripline/sources/polling/poll-position'
import { SyslogListenError } from '@tripline/sources/syslog/open-sockets'
import { limits } from '../limits.ts'
import type { SyslogListener } from '../syslog/syslog-listeners.ts'
import { parseMessageSource, isBrokerType } from './broker/message-source.ts'
import { checkSession } from './broker/check-broker.ts'
import { consumeBroker } from './broker/consume-broker.ts'
import { updateHealth } from './update-health.ts'
import { checkListener } from './check-listener.ts'
import { checkSource, createPollChecks } from './check-source.ts'
import type { DataFlow } from './check-source.ts'
import type { ConnectorDeps } from './connector-deps.ts'
import { openConnectorSettings } from './connector-settings.ts'
import { createFeedChecks } from './feeds/check-feed.ts'
import { FeedClient } from './feeds/feed-client.ts'
import { describeCounts, parseFeedPosition } from './feeds/feed-position.ts'
import { isFeedType, parseFeedTarget } from './feeds/feed-target.ts'
import type { FeedType } from './feeds/feed-target.ts'
import { pollFeed } from './feeds/poll-feed.ts'
import { createPollRequester } from './poll-requester.ts'
import { parsePollTarget, parseDurationMs } from './poll-target.ts'
import { runEvery } from './run-every.ts'
import {
  countPage, createScannerDefinitions, createScannerRequest, parseScannerPosition, pollScanner, splitEvents,
} from './scanner/poll-scanner.ts'
import { parseScannerTarget } from './scanner/scanner-target.ts'
import { createTenantEgress } from './tenant-egress.ts'

/** Runs one connector with fixed settings: polls it, listens or consumes, as its type says, and checks its health. */
export class ConnectorTask {
  readonly #deps: ConnectorDeps
  readonly #tenant: TenantId
  readonly #connector: Connector
  readonly #ending = new AbortController()
  readonly #startedAt: number
  readonly #work: Promise<unknown>
  #client: PollClient | undefined
  #listener: SyslogListener | { readonly problem: string } | undefined
  /** Of connectors that consume a broker. */
  #isConnected = false
  /** Resolves when the port was opened, or could not be. */
  readonly #whenOpened = Promise.withResolvers<void>()
  /** Whether an event ever came through the connector. */
  #hasSent = false
  /** When the last check began, by the monotonic clock. */
  #checkedAt: number | undefined
  /** Consecutive polls that failed. */
  #failureCount = 0
  /** The end of the last poll; the source asked for no request before `quietUntil`. */
  #lastPoll: { readonly at: number; readonly problem: PollError | undefined; readonly quietUntil: number } | undefined

  constructor(room: ConnectorDeps, tenant: TenantId, connector: Connector) {
    this.#deps = room
    this.#tenant = tenant
    this.#connector = connector
    this.#startedAt = room.io.now()
    room.counters.forgetSource(tenant, connector.id)
    const polling = this.#runEvery('polling a connector', () => this.#poll())
    const listening = this.#runEvery('listening for a connector', () => this.#listen())
    const consuming = this.#runEvery('consuming a broker', () => this.#consume())
    const checking = this.#runEvery('checking a connector', () => this.#check())
    this.#work = Promise.all([polling, listening, consuming, checking])
  }

  /** Aborts the work under way and resolves when nothing is left of it. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#work
    if (this.#listener !== undefined && 'close' in this.#listener) await this.#listener.close()
  }

  #runEvery(what: string, once: () => Promise<number | undefined>): Promise<void> {
    const { log, sleep } = this.#deps
    return runEvery(sleep, {
      signal: this.#ending.signal,
      afterFailureMs: limits.connector.checkEveryMs,
      onFailure: (error) => log.error(`${what} failed`, { connector: this.#connector.id, error: getErrorMessage(error) }),
    }, once)
  }

  async #poll(): Promise<number | undefined> {
    const { counters, io } = this.#deps
    const { id, type } = this.#connector
    if (type !== 'http_poll' && type !== 'vulnerability_scanner' && !isFeedType(type)) return undefined
    const { signal } = this.#ending
    try {
      const delayMs = await (isFeedType(type) ? this.#pollFeed(type) : type === 'http_poll' ? this.#pollPages() : this.#pollScanner())
      this.#failureCount = 0
      this.#lastPoll = { at: io.now(), problem: undefined, quietUntil: 0 }
      if (!signal.aborted) counters.noteCaughtUp(this.#tenant, id)
      return delayMs
    } catch (error) {
      if (signal.aborted) return undefined
      const delayMs = retryDelayMs(error, this.#failureCount++)
      if (!(error instanceof PollError)) {
        this.#deps.log.warn('polled events could not be ingested', { connector: id, error: getErrorMessage(error) })
        return delayMs
      }
      this.#lastPoll = { at: io.now(), problem: error, quietUntil: error.retryAfterMs === undefined ? 0 : io.now() + delayMs }
      return delayMs
    }
  }

  async #pollPages(): Promise<number> {
    const { state, ingest, counters, semaphore } = this.#deps
    const { id } = this.#connector
    const { signal } = this.#ending
    const client = this.#getPollClient()
    const stored = await state.connectors.cursor(this.#tenant, id)
    await poll(client, {
      sourceId: id,
      position: readStoredPosition(stored === undefined ? undefined : JSON.parse(stored)),
      withPermit: (work) => semaphore.run(this.#tenant, signal, work),
      store: async ({ events, position, refusedCount, byteCount }) => {
        if (events.length > 0) await ingest(this.#tenant, id, events)
        counters.record(this.#tenant, id, { receivedCount: events.length, refusedCount, byteCount })
        // A task that was replaced meanwhile has a successor with a position of its own.
        if (position === undefined || signal.aborted) return
        await state.connectors.setCursor(this.#tenant, id, JSON.stringify(toStoredPosition(position)))
      },
      signal,
    })
    return client.target.intervalMs
  }

  async #pollFeed(type: FeedType): Promise<number> {
    const { state, counters, semaphore, feeds, secrets, io } = this.#deps
    const { id, name } = this.#connector
    const tenant = this.#tenant
    const { signal } = this.#ending
    const target = parseFeedTarget(type, this.#openSettings(secrets))
    const client = new FeedClient(target, { egress: createTenantEgress(this.#deps, tenant), now: io.now, signal })
    return await pollFeed(client, {
      position: parseFeedPosition(await state.connectors.cursor(tenant, id), name),
      withPermit: (work) => semaphore.run(tenant, signal, work),
      store: (source, items) => feeds.storeItems(tenant, source, items),
      record: (counts) => counters.record(tenant, id, counts),
      save: (position) => state.connectors.setCursor(tenant, id, JSON.stringify(position)),
      signal,
    })
  }

  async #pollScanner(): Promise<number> {
    const { state, ingest, counters, semaphore, scanner, secrets, sleep, io } = this.#deps
    const { id, name } = this.#connector
    const tenant = this.#tenant
    const { signal } = this.#ending
    if (!await scanner.isInPlan(tenant)) throw new PollError('connectivity', "refused: the plan 'free' has no vulnerability scanner")
    const target = parseScannerTarget(this.#openSettings(secrets))
    const { scannerRequestMs: timeoutMs } = limits.connector
    const hasFindings = target.settings.collect.includes('vulnerabilities')
    return await pollScanner(target, {
      connectorName: name, signal,
      position: parseScannerPosition(await state.connectors.cursor(tenant, id)),
      outside: {
        request: createScannerRequest(createTenantEgress(this.#deps, tenant), target, { timeoutMs, signal }), now: io.now,
        sleep: (ms) => sleep(ms, signal), definitions: createScannerDefinitions(state.findings, tenant, io.now),
      },
      withPermit: (work) => semaphore.run(tenant, signal, work),
      store: async ({ records, events, runAt }) => {
        await scanner.storeScan(tenant, { connectorId: id, records, runAt, hasFindings })
        for (const part of splitEvents(events)) await ingest(tenant, id, part)
        counters.record(tenant, id, countPage(events))
        this.#lastPoll = { at: io.now(), problem: undefined, quietUntil: 0 }
      },
      save: (position) => state.connectors.setCursor(tenant, id, JSON.stringify(position)),
    })
  }

  /** Runs a session with a broker, and another one after it failed. */
  async #consume(): Promise<number | undefined> {
    const { ingest, counters, secrets, sleep, io, log } = this.#deps
    const { id, type } = this.#connector
    const { signal } = this.#ending
    if (!isBrokerType(type)) return undefined
    try {
      await consumeBroker(parseMessageSource({ id, type, config: this.#openSettings(secrets) }), {
        connectorId: id, egress: createTenantEgress(this.#deps, this.#tenant), sleep, signal,
        ingest: (events) => ingest(this.#tenant, id, events),
        record: (counts) => counters.record(this.#tenant, id, counts),
        onConnected: () => {
          this.#isConnected = true
          this.#failureCount = 0
          this.#lastPoll = undefined
        },
      })
      return undefined
    } catch (error) {
      if (signal.aborted) return undefined
      if (error instanceof PollError) this.#lastPoll = { at: io.now(), problem: error, quietUntil: 0 }
      else log.warn('messages of a broker could not be ingested', { connector: id, error: getErrorMessage(error) })
      return Math.min(retryDelayMs(error, this.#failureCount++), limits.connector.brokerRetryMsMax)
    } finally {
      this.#isConnected = false
    }
  }

  /** Opens the port of a connector that listens; tries again later where that fails. */
  async #listen(): Promise<number | undefined> {
    const { counters, listeners, secrets } = this.#deps
    const { id, type } = this.#connector
    if (type !== 'syslog') return undefined
    try {
      if (listeners === undefined) throw new SyslogListenError('this server opens no ports for syslog')
      const record = (counts: IngestCounts): void => counters.record(this.#tenant, id, counts)
      this.#listener = await listeners.open({ tenant: this.#tenant, id, config: this.#openSettings(secrets), record })
      return undefined
    } catch (error) {
      if (!(error instanceof SyslogListenError || error instanceof PollError)) throw error
      this.#listener = { problem: error.message }
      return limits.connector.checkEveryMs
    } finally {
      this.#whenOpened.resolve()
    }
  }

  /** Checks at intervals; of what others send also soon after the first event: figures beside the health count it at once. */
  async #check(): Promise<number> {
    const { io, state, counters } = this.#deps
    const { id, type } = this.#connector
    const { checkEveryMs, firstEventEveryMs } = limits.connector
    const { signal } = this.#ending
    const sinceMs = this.#checkedAt === undefined ? checkEveryMs : io.elapsedMs() - this.#checkedAt
    const hasBegun = !this.#hasSent && counters.get(this.#tenant, id).lastEventAt !== undefined
    if (sinceMs < checkEveryMs && !hasBegun) return Math.min(firstEventEveryMs, checkEveryMs - sinceMs)
    this.#checkedAt = io.elapsedMs()
    const checks = await this.#runChecks()
    if (!signal.aborted) {
      const place = { tenant: this.#tenant, connectorId: id, at: io.now() }
      await updateHealth(state, place, { kind: 'checked', at: place.at, checks })
    }
    return this.#hasSent || !(isPushType(type) || type === 'syslog') ? checkEveryMs : firstEventEveryMs
  }

  /** A recent answered poll replaces a check. While the source asks for no request, the last poll does too. */
  async #runChecks(): Promise<readonly ConnectorCheck[]> {
    const { id, type } = this.#connector
    const flow = await this.#getDataFlow()
    if (type === 'syslog') {
      await this.#whenOpened.promise
      return await checkListener(this.#listener ?? { problem: 'the port is not open' }, this.#connector.config, flow)
    }
    if (isBrokerType(type)) return checkSession({ isConnected: this.#isConnected, problem: this.#lastPoll?.problem }, flow)
    const now = this.#deps.io.now()
    const last = this.#lastPoll
    // A page of a scanner is too large for a check; and that nothing changes is no silence.
    if (type === 'vulnerability_scanner') {
      return last === undefined ? [] : createPollChecks(last.problem, { ...flow, quietForMs: undefined })
    }
    if (isFeedType(type)) {
      const { counts } = parseFeedPosition(await this.#deps.state.connectors.cursor(this.#tenant, id), '')
      return last === undefined ? [] : createFeedChecks(last.problem, flow, describeCounts(counts))
    }
    if (last?.problem !== undefined && now < last.quietUntil) return createPollChecks(last.problem, flow)
    const isAnswered = last !== undefined && last.problem === undefined
    if (isAnswered && now - last.at < limits.connector.checkEveryMs) return createPollChecks(undefined, flow)
    try {
      const client = type === 'http_poll' ? this.#getPollClient() : undefined
      const subject = { connectorId: id, type, client, flow }
      return (await checkSource(subject, { sleep: this.#deps.sleep, signal: this.#ending.signal })).checks
    } catch (error) {
      if (error instanceof PollError) return createPollChecks(error, flow)
      throw error
    }
  }

  async #getDataFlow(): Promise<DataFlow> {
    const { counters, io, state } = this.#deps
    const { id, config } = this.#connector
    // Counted in this process, or saved by an earlier one.
    this.#hasSent ||= counters.get(this.#tenant, id).unsaved.receivedCount > 0
    this.#hasSent ||= ((await state.connectors.totals(this.#tenant, id))?.receivedCount ?? 0) > 0
    const { eventsInLastMinute, lastEventAt } = counters.get(this.#tenant, id)
    const quietForMs = io.now() - Math.max(lastEventAt ?? 0, this.#startedAt)
    return { eventsInLastMinute, hasSent: this.#hasSent, quietForMs, quietAfterMs: parseDurationMs(config['quiet_after']) }
  }

  /** Opens the secrets on first use. @throws PollError where they were sealed under another key. */
  #getPollClient(): PollClient {
    const { secrets, io } = this.#deps
    const egress = createTenantEgress(this.#deps, this.#tenant)
    this.#client ??= new PollClient(parsePollTarget(this.#openSettings(secrets)), { request: createPollRequester(egress), now: io.now })
    return this.#client
  }

  #openSettings(secrets: SecretBox): ConnectorConfig {
    try {
      return openConnectorSettings(secrets, this.#tenant, this.#connector)
    } catch {
      const message = 'the stored secrets cannot be decrypted with the key of this installation; send them again'
      throw new PollError('authentication', message)
    }
  }
}
