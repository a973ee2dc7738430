import { logIn, openPage } from '../open-console.ts'
import type { Console } from '../open-console.ts'
import { getPercentile } from './write-section.ts'
import type { Row } from './write-section.ts'

const everyMs = 250
/** What the API documents allow: the dashboard is new every 5 seconds, the list of connectors every 30. */
const boundsMs = { dashboard: 5_000, connectors: 30_000 }

type Listed = { readonly connectors: readonly { readonly stats: { readonly events_received_total: number } }[] }

/**
 * Sends an event four times a second for a while, and tells how often the dashboard and the list of connectors change, and how
 * many of the figures that the list shows are older than the bound: a read is stale where the server had another total before it.
 */
export async function measureFreshness(world: Console, lengthMs: number): Promise<readonly Row[]> {
  const connector = { name: 'Steady', type: 'http_ndjson', config: { log_source: { product: 'linux' } } }
  const { ingest } = await world.call<{ readonly ingest: { readonly token: string } }>('/v1/connectors', { method: 'POST', body: connector })
  const { page, context } = await openPage(world)
  const messagesAt: number[] = []
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('metrics_update')) messagesAt.push(performance.now())
    })
  })
  await logIn(world, page, '/')
  const list = await context.newPage()
  await list.goto(`${world.origin}/connectors`)
  const cell = list.getByRole('row', { name: /Steady/ })
  await cell.waitFor()
  const startedAt = performance.now()
  /** When the server told each total first. */
  const toldAt = new Map<number, number>()
  let [reads, staleReads, sent] = [0, 0, 0]
  const ages: number[] = []
  while (performance.now() - startedAt < lengthMs) {
    const headers = { 'authorization': `Bearer ${ingest.token}`, 'content-type': 'application/x-ndjson' }
    await fetch(`${world.origin}/ingest/v1/events`, { method: 'POST', headers, body: `{"message":"event ${sent++}"}\n` })
    const { connectors } = await world.call<Listed>('/v1/connectors')
    const total = connectors[0]?.stats.events_received_total ?? 0
    const now = performance.now()
    if (!toldAt.has(total)) toldAt.set(total, now)
    const texts = await cell.getByRole('gridcell').allTextContents()
    const shown = Math.max(0, ...texts.filter((text) => /^[\d,]+$/.test(text)).map((text) => Number(text.replaceAll(',', ''))))
    // As old as the first total that the server told and the page does not show.
    const missedAt = Math.min(...[...toldAt].filter(([told]) => told > shown).map(([, at]) => at))
    const age = Number.isFinite(missedAt) ? now - missedAt : 0
    reads++
    ages.push(age)
    if (age > boundsMs.connectors) staleReads++
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  await context.close()
  const gaps = messagesAt.slice(1).map((at, index) => at - (messagesAt[index] ?? at))
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
  const minutes = `in ${(lengthMs / 60_000).toFixed(0)} minutes`
  return [
    [`Dashboard, time between two messages of figures, p98 of ${gaps.length} ${minutes}`, seconds(getPercentile(gaps, 0.98)), '5 s'],
    [`Connectors, age of the totals shown, p98 of ${reads} reads ${minutes}`, seconds(getPercentile(ages, 0.98)), '30 s'],
    ['Connectors, reads of a total older than 30 s', `${((100 * staleReads) / Math.max(1, reads)).toFixed(2)} %`, '1 %'],
  ]
}
